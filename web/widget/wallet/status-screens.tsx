/** The screens for a wallet that cannot be shown. */
import { ClockIcon } from '../../ui/icons.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { StatusScreen } from '../../ui/status-screen.tsx'
import { Frame } from '../frame.tsx'
import { usePage } from '../page-context.ts'
import type { WalletView } from './watch-wallet.ts'

interface WalletFailedProps {
  problem: WalletView['problem']
  retry: () => Promise<void>
}

export function WalletFailed({ problem, retry }: WalletFailedProps) {
  const { words } = usePage()
  const text = problem === 'busy' ? words.failed.busy : words.failed.text
  return (
    <LoadFailed
      words={{ ...words.failed, text }}
      retryLabel={words.wallet.retry}
      isOffline={problem === 'offline'}
      retry={retry}
    />
  )
}

export function SessionEnded() {
  const { words, data } = usePage()
  return (
    <StatusScreen
      icon={<ClockIcon />}
      title={words.failed.endedTitle}
      text={words.failed.ended(data.appName)}
    />
  )
}

/** A script of the page could not be loaded. */
export function PageFailed() {
  return (
    <Frame>
      <WalletFailed problem="offline" retry={async () => location.reload()} />
    </Frame>
  )
}
