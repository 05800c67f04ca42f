/** The result of a payment that this page did not start. It may be anybody's, so nothing here can pay it. */
import { Button } from '../../ui/button.tsx'
import { AlertIcon, CheckIcon, ClockIcon } from '../../ui/icons.tsx'
import { StatusScreen } from '../../ui/status-screen.tsx'
import { useTopup } from './context.ts'
import type { TopupFlow } from './flow.ts'
import { LeaveButton } from './leave.tsx'

export function OtherPaid({ amount }: { amount: string }) {
  const { texts, format } = useTopup()
  return (
    <StatusScreen
      isGood
      icon={<CheckIcon />}
      title={texts.other.paidTitle(format.full(amount))}
      text={texts.other.paid}
    >
      <LeaveButton />
    </StatusScreen>
  )
}

export function OtherProcessing() {
  const { texts } = useTopup()
  return (
    <StatusScreen
      icon={<ClockIcon />}
      title={texts.other.processingTitle}
      text={texts.other.processing}
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
  const { texts, data } = useTopup()
  const { other } = texts
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
