/** The result of a payment. */
import { useState } from 'preact/hooks'
import { Button, TextButton } from '../../ui/button.tsx'
import { CardIcon, CheckIcon, ClockIcon } from '../../ui/icons.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { StatusScreen } from '../../ui/status-screen.tsx'
import type { StartedPayment } from './address.ts'
import { useTopup } from './context.ts'
import type { TopupFlow } from './flow.ts'
import { LeaveButton } from './leave.tsx'
import { Owner } from './owner.tsx'
import { confirmWithBank } from './pay.ts'
import { openStripe } from './stripe.ts'

interface TopupDoneProps {
  amount: string
  balance: number
  /** What the person sees of the card; known only if it was a saved one. */
  card: string | undefined
}

export function TopupDone({ amount, balance, card }: TopupDoneProps) {
  const { messages, format, date } = useTopup()
  // The time when the person saw it, also while the balance is updated.
  const [at] = useState(() => new Date().toISOString())
  return (
    <StatusScreen
      isGood
      icon={<CheckIcon />}
      title={messages.result.doneTitle(format.full(amount))}
      text={messages.result.done(format.full(balance), card ? `${date(at)}, ${card}` : date(at))}
    >
      <LeaveButton />
    </StatusScreen>
  )
}

export function TopupPaid() {
  const { messages } = useTopup()
  return (
    <StatusScreen
      isGood
      icon={<CheckIcon />}
      title={messages.result.paidTitle}
      text={messages.result.paid}
    >
      <LeaveButton />
    </StatusScreen>
  )
}

export function TopupProcessing() {
  const { messages, leave } = useTopup()
  const { processing, processingInFrame } = messages.result
  return (
    <StatusScreen
      icon={<ClockIcon />}
      title={messages.result.processingTitle}
      text={leave ? processingInFrame : processing}
    >
      <LeaveButton kind="secondary" />
    </StatusScreen>
  )
}

export function ActionAsked({ flow, payment }: { flow: TopupFlow; payment: StartedPayment }) {
  const { messages, format, data } = useTopup()
  const [isBusy, run] = useBusy(async () => {
    const stripe = await openStripe(data.scriptUrl, payment.publishableKey)
    if (!stripe) return flow.show({ name: 'unreachable' })
    return confirmWithBank(stripe, payment, flow)
  })
  return (
    <StatusScreen
      icon={<CardIcon />}
      title={messages.action.title}
      text={messages.action.text(format.full(payment.amount))}
    >
      <Owner owner={payment.owner} />
      <Button isBusy={isBusy} onClick={run}>
        {messages.action.submit}
      </Button>
      {!isBusy && (
        <TextButton onClick={() => flow.show({ name: 'card' })}>
          {messages.action.otherCard}
        </TextButton>
      )}
    </StatusScreen>
  )
}
