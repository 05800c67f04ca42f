/** The switch for all writes, and the banner on every page while they are paused. */
import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Notice, Done } from '../../ui/notice.tsx'
import type { Pause } from '../calls.ts'
import { useMay } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import { PauseDialog, PauseFacts } from './pause-parts.tsx'
import { useRead } from './use-read.ts'
import * as base from '../../ui/base.module.css'
import * as badge from './badge.module.css'
import * as parts from './parts.module.css'
import * as styles from './pause.module.css'

export const WRITES_LEAD =
  'For maintenance and emergencies. While writes are paused, no money moves, but everything can still be read.'

const EFFECTS = [
  'debits, credits and new top-ups return 503 with Retry-After; apps retry them later with the same reference',
  'bonuses, corrections and refunds by operators are refused',
  'payments, refunds and disputes wait at the card processor and are recorded afterwards',
]

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
      <h2>All writes</h2>
      <p class={`${base.muted} ${parts.partLead}`}>{WRITES_LEAD}</p>
      {done && <Done key={done} text={done} takesFocus />}
      <div class={isPaused ? `${styles.panel} ${styles.paused}` : styles.panel}>
        <div class={styles.text}>
          <p class={isPaused ? styles.state : `${styles.state} ${badge.state} ${badge.stateOn}`}>
            {isPaused ? 'All writes are paused' : 'Writes are on'}
          </p>
          <p class={base.muted}>
            {isPaused
              ? 'Debits, credits and new top-ups of all client apps return 503.'
              : 'Debits, credits, top-ups, bonuses and refunds work as usual.'}
          </p>
          {pause && <PauseFacts pause={pause} />}
          {!maySwitch && <p class={base.muted}>Only an owner can pause and resume all writes.</p>}
        </div>
        {maySwitch && (
          <Button kind={isPaused ? 'primary' : 'secondary'} onClick={() => setIsAsking(true)}>
            {isPaused ? 'Resume all writes' : 'Pause all writes'}
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
            setDone(isPaused ? 'Writes resumed.' : 'All writes are paused.')
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
    <PauseDialog
      isPaused={input}
      title={input ? 'Pause all writes?' : 'Resume all writes?'}
      submit={input ? 'Pause all writes' : 'Resume all writes'}
      send={(change) => call('POST /api/admin/switches/pause', change)}
      onClose={onClose}
      onDone={onDone}
    >
      <p>
        {input
          ? 'Within a second, for every client app:'
          : 'Debits, credits and top-ups work again within a second. Payments that waited at the card processor are recorded automatically.'}
      </p>
      {input && (
        <ul class={parts.bullets}>
          {EFFECTS.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {input && (
        <p class={base.muted}>
          Balances, histories, sessions and the widget keep working, and retries of earlier
          operations still get their response. Writes stay paused until an owner resumes them.
        </p>
      )}
    </PauseDialog>
  )
}

/** Reads the state again whenever `path` changes or the operator returns to this tab. */
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
        <strong>All writes are paused.</strong> <Link to={paths.switches}>See why</Link>
      </Notice>
    </div>
  )
}
