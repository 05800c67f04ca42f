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
  const { messages } = usePage()
  const text = problem === 'busy' ? messages.failed.busy : messages.failed.text
  return (
    <LoadFailed
      messages={{ ...messages.failed, text }}
      retryLabel={messages.wallet.retry}
      isOffline={problem === 'offline'}
      retry={retry}
    />
  )
}

export function SessionEnded() {
  const { messages, data } = usePage()
  return (
    <StatusScreen
      icon={<ClockIcon />}
      title={messages.failed.endedTitle}
      text={messages.failed.ended(data.appName)}
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
