/** The result of a payment that this page did not start. It may be anybody's, so nothing here can pay it. */
import { Button } from '../../ui/button.tsx'
import { AlertIcon, CheckIcon, ClockIcon } from '../../ui/icons.tsx'
import { StatusScreen } from '../../ui/status-screen.tsx'
import { useTopup } from './context.ts'
import type { TopupFlow } from './flow.ts'
import { LeaveButton } from './leave.tsx'

export function OtherPaid({ amount }: { amount: string }) {
  const { messages, format } = useTopup()
  return (
    <StatusScreen
      isGood
      icon={<CheckIcon />}
      title={messages.other.paidTitle(format.full(amount))}
      text={messages.other.paid}
    >
      <LeaveButton />
    </StatusScreen>
  )
}

export function OtherProcessing() {
  const { messages } = useTopup()
  return (
    <StatusScreen
      icon={<ClockIcon />}
      title={messages.other.processingTitle}
      text={messages.other.processing}
    >
      <LeaveButton kind="secondary" />
    </StatusScreen>
  )
}

interface UnpaidProps {
  flow: TopupFlow
  status: 'open' | 'failed' | 'canceled'
}

export function Unpaid({ flow: { startAgain }, status }: UnpaidProps) {
  const { messages, data } = useTopup()
  const { other } = messages
  return (
    <StatusScreen
      icon={<AlertIcon />}
      title={other[`${status}Title`]}
      text={startAgain ? other.unpaidHere : other.unpaid(data.appName)}
    >
      {startAgain ? (
        <Button onClick={startAgain}>{other.startAgain}</Button>
      ) : (
        <LeaveButton kind="secondary" />
      )}
    </StatusScreen>
  )
}
