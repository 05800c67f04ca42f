/** The switch for the writes of one app. */
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Badge } from './badge.tsx'
import type { ListedApp, Pause } from '../calls.ts'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import { SwitchDialog } from './pause-dialog.tsx'
import { PauseFacts } from './pause-facts.tsx'
import * as base from '../../ui/base.module.css'

const texts = words.pausedApp

interface AppPauseProps {
  app: Pick<ListedApp, 'clientId' | 'name' | 'pause'>
  reload: () => Promise<void>
}

export function AppPauseButton({ app, reload }: AppPauseProps) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Button kind="secondary" onClick={() => setIsAsking(true)}>
        {app.pause ? texts.resume : texts.pause}
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
    <SwitchDialog
      isPaused={isPaused}
      title={isPaused ? texts.pauseTitle(name) : texts.resumeTitle(name)}
      submit={isPaused ? texts.pause : texts.resume}
      send={(input) => call('POST /api/admin/switches/client-app', { clientId, ...input })}
      onClose={onClose}
      onDone={onDone}
    >
      <p>{isPaused ? texts.stops : texts.goesOn}</p>
      {isPaused && <p class={base.muted}>{texts.stays}</p>}
    </SwitchDialog>
  )
}

export function PausedBadge({ pause }: { pause: Pause | null }) {
  return pause && <Badge kind="warning">{texts.badge}</Badge>
}

export function AppPauseNotice({ pause }: { pause: Pause }) {
  return (
    <Notice kind="warning">
      <p>{texts.notice}</p>
      <PauseFacts pause={pause} />
    </Notice>
  )
}
