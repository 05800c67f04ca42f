/** Downloads an export, shows the progress, and lets the operator cancel. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button, TextButton } from '../../ui/button.tsx'
import type { ExportPath } from '../calls.ts'
import { collectCsv, formatSize, type Progress, saveFile } from './collect-csv.ts'
import { explainAsText } from '../explain-refusal.ts'
import { DownloadIcon } from '../../ui/icons.tsx'
import { usePage } from '../page-context.ts'
import { fileNameOf } from '../request-file.ts'
import * as base from '../../ui/base.module.css'
import * as styles from './export-button.module.css'
import * as parts from './parts.module.css'

const SHOWN_EVERY_MS = 200

interface ExportButtonProps {
  path: ExportPath
  filter: object
  /** The expected number of rows, if known. */
  total?: number | undefined
}

export function ExportButton({ path, filter, total }: ExportButtonProps) {
  const { progress, note, error, start, cancel } = useExport(path, filter)
  const box = useRef<HTMLDivElement>(null)
  function stop() {
    cancel()
    // The button that had the focus is removed.
    box.current?.querySelector('button')?.focus()
  }
  return (
    <div class={styles.box} ref={box}>
      <Button kind="secondary" isBusy={progress !== null} onClick={start}>
        <DownloadIcon />
        Download CSV
      </Button>
      {progress && (
        <div class={styles.progress}>
          <progress
            aria-label="Download"
            {...(total && { max: total, value: Math.min(progress.rows, total) })}
          />
          <span class={base.muted}>
            {progress.rows.toLocaleString('en')} rows, {formatSize(progress.bytes)}
          </span>
          <TextButton onClick={stop}>Cancel</TextButton>
        </div>
      )}
      <p class={progress ? base.visuallyHidden : `${styles.note} ${base.muted}`} role="status">
        {note}
      </p>
      {error && (
        <p class={`${styles.note} ${parts.textDanger}`} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

function useExport(path: ExportPath, filter: object) {
  const { openExport } = usePage()
  const [progress, setProgress] = useState<Progress | null>(null)
  const [note, setNote] = useState('')
  const [error, setError] = useState('')
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  function end(text: { note?: string; error?: string }) {
    running.current = null
    setProgress(null)
    setNote(text.note ?? '')
    setError(text.error ?? '')
  }

  async function start() {
    const controller = new AbortController()
    running.current = controller
    const reached: Progress = { rows: 0, bytes: 0 }
    setError('')
    setNote('Downloading …')
    setProgress({ ...reached })
    const isStopped = () => running.current !== controller
    const timer = setInterval(() => !isStopped() && setProgress({ ...reached }), SHOWN_EVERY_MS)
    try {
      const result = await openExport(path, filter, controller)
      if (isStopped()) return
      if (!result.ok) return end({ error: explainAsText(result) })
      const { file, rows } = await collect(result.data, reached)
      if (isStopped()) return
      const name = fileNameOf(result.data)
      saveFile(file, name)
      end({
        note: `${name} was saved: ${rows === 1 ? '1 row' : `${rows.toLocaleString('en')} rows`}.`,
      })
    } catch {
      if (!isStopped())
        end({
          error: `The download was interrupted after ${reached.rows.toLocaleString('en')} rows. Nothing was saved. Check your connection and try again.`,
        })
    } finally {
      clearInterval(timer)
    }
  }

  function cancel() {
    running.current?.abort()
    end({ note: 'Canceled. Nothing was saved.' })
  }

  return { progress, note, error, start: () => void start(), cancel }
}

async function collect(response: Response, reached: Progress) {
  if (response.body === null) throw new Error('The response has no body')
  const { file, progress } = await collectCsv(response.body, (each) => Object.assign(reached, each))
  return { file, rows: progress.rows }
}
