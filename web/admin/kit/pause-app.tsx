/** The switch for the writes of one app. */
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Badge } from './badge.tsx'
import type { ListedApp, Pause } from '../calls.ts'
import { usePage } from '../page-context.ts'
import { PauseDialog, PauseFacts } from './pause-parts.tsx'
import * as base from '../../ui/base.module.css'

interface AppPauseProps {
  app: Pick<ListedApp, 'clientId' | 'name' | 'pause'>
  reload: () => Promise<void>
}

export function AppPauseButton({ app, reload }: AppPauseProps) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Button kind="secondary" onClick={() => setIsAsking(true)}>
        {app.pause ? 'Resume writes' : 'Pause writes'}
      </Button>
      {isAsking && (
        <AppPauseDialog
          app={app}
          onClose={() => setIsAsking(false)}
          onDone={async () => {
            await reload()
            setIsAsking(false)
          }}
        />
      )}
    </>
  )
}

interface AppPauseDialogProps {
  app: AppPauseProps['app']
  onClose: () => void
  onDone: () => Promise<void>
}

export function AppPauseDialog({ app, onClose, onDone }: AppPauseDialogProps) {
  const { call } = usePage()
  const { clientId, name } = app
  // The dialog keeps its question while the page reloads its data.
  const [isPaused] = useState(app.pause === null)
  return (
    <PauseDialog
      isPaused={isPaused}
      title={isPaused ? `Pause writes of ${name}?` : `Resume writes of ${name}?`}
      submit={isPaused ? 'Pause writes' : 'Resume writes'}
      send={(input) => call('POST /api/admin/switches/client-app', { clientId, ...input })}
      onClose={onClose}
      onDone={onDone}
    >
      <p>
        {isPaused
          ? 'Within a second, its debits, credits and new top-ups return 503 with Retry-After. The app retries them later with the same reference, so nothing is lost.'
          : 'Its debits, credits and new top-ups work again within a second.'}
      </p>
      {isPaused && (
        <p class={base.muted}>
          The app can still read wallets, and its widget and sessions keep working. To block it
          completely, deactivate it instead.
        </p>
      )}
    </PauseDialog>
  )
}

export function PausedBadge({ pause }: { pause: Pause | null }) {
  return pause && <Badge kind="warning">Writes paused</Badge>
}

export function AppPauseNotice({ pause }: { pause: Pause }) {
  return (
    <Notice kind="warning">
      <p>Writes of this app are paused.</p>
      <PauseFacts pause={pause} />
    </Notice>
  )
}
