import { Button } from './button.tsx'
import { AlertIcon, OfflineIcon } from './icons.tsx'
import { StatusScreen } from './status-screen.tsx'
import { useBusy } from './use-busy.ts'

interface LoadFailedProps {
  messages: { offlineTitle: string; offline: string; title: string; text: string }
  retryLabel: string
  isOffline: boolean
  retry: () => Promise<void>
}

/** Nothing could be loaded: why, and a button to try again. */
export function LoadFailed({ messages, retryLabel, isOffline, retry }: LoadFailedProps) {
  const [isBusy, run] = useBusy(retry)
  return (
    <StatusScreen
      icon={isOffline ? <OfflineIcon /> : <AlertIcon />}
      title={isOffline ? messages.offlineTitle : messages.title}
      text={isOffline ? messages.offline : messages.text}
    >
      <Button kind="secondary" isBusy={isBusy} onClick={run}>
        {retryLabel}
      </Button>
    </StatusScreen>
  )
}
