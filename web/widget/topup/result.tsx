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
  const { texts, format, date } = useTopup()
  // The time when the person saw it, also while the balance is updated.
  const [at] = useState(() => new Date().toISOString())
  return (
    <StatusScreen
      isGood
      icon={<CheckIcon />}
      title={texts.result.doneTitle(format.full(amount))}
      text={texts.result.done(format.full(balance), card ? `${date(at)}, ${card}` : date(at))}
    >
      <LeaveButton />
    </StatusScreen>
  )
}

export function TopupPaid() {
  const { texts } = useTopup()
  return (
    <StatusScreen
      isGood
      icon={<CheckIcon />}
      title={texts.result.paidTitle}
      text={texts.result.paid}
    >
      <LeaveButton />
    </StatusScreen>
  )
}

export function TopupProcessing() {
  const { texts, leave } = useTopup()
  const { processing, processingInFrame } = texts.result
  return (
    <StatusScreen
      icon={<ClockIcon />}
      title={texts.result.processingTitle}
      text={leave ? processingInFrame : processing}
    >
      <LeaveButton kind="secondary" />
    </StatusScreen>
  )
}

export function ActionAsked({ flow, payment }: { flow: TopupFlow; payment: StartedPayment }) {
  const { texts, format, data } = useTopup()
  const [isBusy, run] = useBusy(async () => {
    const stripe = await openStripe(data.scriptUrl, payment.publishableKey)
    if (!stripe) return flow.show({ name: 'unreachable' })
    return confirmWithBank(stripe, payment, flow)
  })
  return (
    <StatusScreen
      icon={<CardIcon />}
      title={texts.action.title}
      text={texts.action.text(format.full(payment.amount))}
    >
      <Owner owner={payment.owner} />
      <Button isBusy={isBusy} onClick={run}>
        {texts.action.submit}
      </Button>
      {!isBusy && (
        <TextButton onClick={() => flow.show({ name: 'card' })}>
          {texts.action.otherCard}
        </TextButton>
      )}
    </StatusScreen>
  )
}
