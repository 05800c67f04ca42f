/** The switch for all writes, and the banner on every page while they are paused. */
import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Done } from '../../ui/done.tsx'
import type { Pause } from '../calls.ts'
import { words } from '../messages.ts'
import { useMay } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import { SwitchDialog } from './pause-dialog.tsx'
import { PauseFacts } from './pause-facts.tsx'
import { useRead } from './use-read.ts'
import * as base from '../../ui/base.module.css'
import * as badge from './badge.module.css'
import * as parts from './parts.module.css'
import * as styles from './pause.module.css'

const texts = words.writes
const SWITCHED = 'coffer-writes-switched'

interface WritesProps {
  pause: Pause | null
  reload: () => Promise<void>
}

export function Writes({ pause, reload }: WritesProps) {
  const maySwitch = useMay('owner')
  const [isAsking, setIsAsking] = useState(false)
  const [done, setDone] = useState('')
  const isPaused = pause !== null
  return (
    <section class={parts.part}>
      <h2>{texts.title}</h2>
      <p class={`${base.muted} ${parts.partLead}`}>{texts.lead}</p>
      {done && <Done key={done} text={done} takesFocus />}
      <div class={isPaused ? `${styles.panel} ${styles.paused}` : styles.panel}>
        <div class={styles.text}>
          <p class={isPaused ? styles.state : `${styles.state} ${badge.state} ${badge.stateOn}`}>
            {isPaused ? texts.paused : texts.on}
          </p>
          <p class={base.muted}>{isPaused ? texts.pausedText : texts.onText}</p>
          {pause && <PauseFacts pause={pause} />}
          {!maySwitch && <p class={base.muted}>{texts.ownersOnly}</p>}
        </div>
        {maySwitch && (
          <Button kind={isPaused ? 'primary' : 'secondary'} onClick={() => setIsAsking(true)}>
            {isPaused ? texts.resume : texts.pause}
          </Button>
        )}
      </div>
      {isAsking && (
        <WritesDialog
          isPaused={!isPaused}
          onClose={() => setIsAsking(false)}
          onDone={async () => {
            await reload()
            setIsAsking(false)
            setDone(isPaused ? texts.resumedNow : texts.pausedNow)
            dispatchEvent(new Event(SWITCHED))
          }}
        />
      )}
    </section>
  )
}

interface WritesDialogProps {
  isPaused: boolean
  onClose: () => void
  onDone: () => Promise<void>
}

function WritesDialog({ isPaused, onClose, onDone }: WritesDialogProps) {
  const { call } = usePage()
  // The dialog keeps its question while the page reloads its data.
  const [input] = useState(isPaused)
  return (
    <SwitchDialog
      isPaused={input}
      title={input ? texts.pauseTitle : texts.resumeTitle}
      submit={input ? texts.pause : texts.resume}
      send={(change) => call('POST /api/admin/switches/pause', change)}
      onClose={onClose}
      onDone={onDone}
    >
      <p>{input ? texts.stops : texts.goesOn}</p>
      {input && (
        <ul class={parts.bullets}>
          {texts.effects.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {input && <p class={base.muted}>{texts.stays}</p>}
    </SwitchDialog>
  )
}

/** Read again whenever `path` changes or the operator returns to this tab. */
export function PausedBanner({ path }: { path: string }) {
  const { call } = usePage()
  const { response, reload } = useRead(path, () => call('GET /api/admin/switches'))
  useEffect(() => {
    const listen = () => void reload()
    const look = () => document.visibilityState === 'visible' && listen()
    addEventListener(SWITCHED, listen)
    document.addEventListener('visibilitychange', look)
    return () => {
      removeEventListener(SWITCHED, listen)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  // The switches page shows the details itself.
  if (!response?.pause || path === paths.switches) return null
  return (
    <div class={parts.contentNotice}>
      <Notice kind="warning">
        <strong>{texts.banner}</strong> <Link to={paths.switches}>{texts.bannerLink}</Link>
      </Notice>
    </div>
  )
}
