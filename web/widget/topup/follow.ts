/** Waits from the processor's confirmation until the wallet has its new balance. */
import type { PaymentIntent, PaymentIntentResult, Stripe } from '@stripe/stripe-js'
import type { TopupMessages } from './messages-en.ts'
import { intentIdOf, isStarted, type Payment } from './address.ts'
import type { TopupCalls } from './calls.ts'
import { explainDecline } from './explain.ts'
import type { Screen } from './screen.ts'

/** The delays between requests: about a minute and a half in total. */
const DELAYS_MS = [0, 1500, 3000, 6000, 12_000, 24_000, 40_000]

export interface FollowOptions {
  stripe: Stripe
  payment: Payment
  /** undefined: nobody is signed in. */
  calls: TopupCalls | undefined
  messages: TopupMessages
  show: (screen: Screen) => void
  signal: AbortSignal
}

/** The screen for an intent that is neither paid nor processing. */
export function screenOf(
  intent: PaymentIntent,
  payment: Payment,
  messages: TopupMessages,
): Screen | null {
  const { status, last_payment_error: error } = intent
  if (status === 'succeeded' || status === 'processing') return null
  if (!isStarted(payment)) return { name: 'unpaid', status: nameUnpaid(intent) }
  if (status === 'requires_action') return { name: 'action' }
  if (status === 'canceled') return { name: 'amount', notice: messages.amount.canceled }
  return { name: 'card', error: error ? explainDecline(error, messages) : '' }
}

function nameUnpaid({ status, last_payment_error: error }: PaymentIntent) {
  if (status === 'canceled') return 'canceled'
  return status === 'requires_payment_method' && error ? 'failed' : 'open'
}

/** Only the processor decides whether it is paid. A delay of our own service is not a failure. */
export async function followPayment(first: PaymentIntent, options: FollowOptions): Promise<void> {
  const { stripe, payment, messages, show, signal } = options
  let { calls } = options
  let intent = first
  for (const delayMs of DELAYS_MS) {
    if (delayMs > 0) {
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      if (signal.aborted) return
      if (intent.status !== 'succeeded') {
        intent = (await retrieveIntent(stripe, payment)).paymentIntent ?? intent
      }
    }
    const screen = screenOf(intent, payment, messages)
    if (screen) return show(screen)
    const response = calls && (await calls.confirm(intentIdOf(payment)))
    if (signal.aborted) return
    const confirmed = response && response.ok ? response.data : undefined
    if (confirmed?.status === 'succeeded') return show({ name: 'done', balance: confirmed.balance })
    if (response && !response.ok && !response.offline && response.status < 429) calls = undefined
    const isPaid = intent.status === 'succeeded'
    show({ name: isPaid && confirmed?.status !== 'processing' ? 'paid' : 'processing' })
    if (isPaid && calls === undefined) return
  }
}

/** A call that fails is like one without a response: the status is unknown. */
export async function retrieveIntent(
  stripe: Stripe,
  { clientSecret }: Payment,
): Promise<Partial<PaymentIntentResult>> {
  return stripe.retrievePaymentIntent(clientSecret).catch(() => ({}))
}
