import { Button } from './button.tsx'
import { AlertIcon, OfflineIcon } from './icons.tsx'
import { StatusScreen } from './status-screen.tsx'
import { useBusy } from './use-busy.ts'

interface LoadFailedProps {
  words: { offlineTitle: string; offline: string; title: string; text: string }
  retryLabel: string
  isOffline: boolean
  retry: () => Promise<void>
}

/** Nothing could be loaded: why, and a button to try again. */
export function LoadFailed({ words, retryLabel, isOffline, retry }: LoadFailedProps) {
  const [isBusy, run] = useBusy(retry)
  return (
    <StatusScreen
      icon={isOffline ? <OfflineIcon /> : <AlertIcon />}
      title={isOffline ? words.offlineTitle : words.title}
      text={isOffline ? words.offline : words.text}
    >
      <Button kind="secondary" isBusy={isBusy} onClick={run}>
        {retryLabel}
      </Button>
    </StatusScreen>
  )
}
