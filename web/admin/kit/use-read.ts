/** Reads one object, or a list page by page. Responses to outdated requests are dropped. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Refusal, Result, NoResponse } from '../../ui/request.ts'

export type ReadStatus = 'reading' | 'ready' | 'failed'

/** `key` identifies the request; a new key reads again. */
export function useRead<Output>(key: string, read: () => Promise<Result<Output>>) {
  const [response, setResponse] = useState<Output | null>(null)
  const [refusal, setRefusal] = useState<Refusal | NoResponse | null>(null)
  const latest = useRef(0)
  async function reload() {
    const request = ++latest.current
    const result = await read()
    if (request !== latest.current) return
    setRefusal(result.ok ? null : result)
    if (result.ok) setResponse(result.data)
  }
  useEffect(() => void reload(), [key])
  return { response, refusal, reload }
}

export interface Listed<Row> {
  rows: Row[]
  nextCursor: string | null
}

interface ListView<Row> {
  /** null until the first response. */
  rows: Row[] | null
  cursor: string | null
  status: ReadStatus
}

export function useList<Row>(
  key: string,
  read: (cursor: string | undefined) => Promise<Result<Listed<Row>>>,
) {
  const [view, setView] = useState<ListView<Row>>({ rows: null, cursor: null, status: 'reading' })
  const latest = useRef(0)
  async function readPage(known: Row[], cursor?: string): Promise<Row | undefined> {
    const request = ++latest.current
    setView((now) => ({ ...now, status: 'reading' }))
    const result = await read(cursor)
    if (request !== latest.current) return undefined
    if (!result.ok) {
      setView((now) => ({ ...now, status: 'failed' }))
      return undefined
    }
    const { rows, nextCursor } = result.data
    setView({ rows: [...known, ...rows], cursor: nextCursor, status: 'ready' })
    return rows[0]
  }
  useEffect(() => void readPage([]), [key])
  return {
    view,
    retry: async () => void (await readPage([])),
    /** Returns the first row that is new. */
    readMore: () => readPage(view.rows ?? [], view.cursor ?? undefined),
  }
}

/** Converts a response of a list endpoint to `Listed`. */
export function toListed<Output extends { nextCursor: string | null }, Row>(
  result: Result<Output>,
  rowsOf: (response: Output) => Row[],
): Result<Listed<Row>> {
  if (!result.ok) return result
  return { ok: true, data: { rows: rowsOf(result.data), nextCursor: result.data.nextCursor } }
}
