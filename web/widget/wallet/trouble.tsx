/** The screens for a wallet that cannot be shown. */
import { Button } from '../../ui/button.tsx'
import { AlertIcon, ClockIcon, OfflineIcon } from '../../ui/icons.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { Frame } from '../frame.tsx'
import { usePage } from '../page-context.ts'
import { Statement } from '../status-screen.tsx'
import type { WalletView } from './watch-wallet.ts'

interface WalletFailedProps {
  trouble: WalletView['trouble']
  retry: () => Promise<void>
}

export function WalletFailed({ trouble, retry }: WalletFailedProps) {
  const { words } = usePage()
  const [isBusy, run] = useBusy(retry)
  const isOffline = trouble === 'offline'
  const text = trouble === 'busy' ? words.failed.busy : words.failed.text
  return (
    <Statement
      icon={isOffline ? <OfflineIcon /> : <AlertIcon />}
      title={isOffline ? words.failed.offlineTitle : words.failed.title}
      text={isOffline ? words.failed.offline : text}
    >
      <Button kind="secondary" isBusy={isBusy} onClick={run}>
        {words.wallet.retry}
      </Button>
    </Statement>
  )
}

export function SessionEnded() {
  const { words, data } = usePage()
  return (
    <Statement
      icon={<ClockIcon />}
      title={words.failed.endedTitle}
      text={words.failed.ended(data.appName)}
    />
  )
}

/** A part of the page itself did not arrive. */
export function PageFailed() {
  return (
    <Frame>
      <WalletFailed trouble="offline" retry={async () => location.reload()} />
    </Frame>
  )
}
