/** Reads the status of a payment from the processor and shows the screen for it. */
import type { PaymentIntent, Stripe } from '@stripe/stripe-js'
import { isStarted, type Payment } from './address.ts'
import type { TopupCalls } from './calls.ts'
import { followPayment, retrieveIntent, screenOf, type FollowOptions } from './follow.ts'
import { amountOf } from './format.ts'
import type { Screen } from './screen.ts'

export interface ResumeOptions extends Omit<FollowOptions, 'stripe'> {
  /** Decimals of the currency. */
  exponent: number
  keep: (payment: Payment) => void
}

export function firstScreen(
  payment: Payment | undefined,
  calls: TopupCalls | undefined,
  scriptUrl: string,
): Screen {
  if (scriptUrl === '') return { name: 'unavailable' }
  if (payment) return { name: 'loading' }
  return calls ? { name: 'amount' } : { name: 'ended', reason: 'no_session' }
}

export async function resumePayment(stripe: Stripe | null, options: ResumeOptions): Promise<void> {
  const { payment, calls, messages, show } = options
  if (!stripe) return show({ name: 'unreachable' })
  const { paymentIntent: intent, error } = await retrieveIntent(stripe, payment)
  if (!intent) {
    return show({ name: error?.type === 'invalid_request_error' ? 'notFound' : 'unreachable' })
  }
  const isUnpaid = screenOf(intent, payment, messages) !== null
  if (isStarted(payment) && isUnpaid && (await hasEnded(calls))) {
    return show({ name: 'ended', reason: 'session_expired' })
  }
  return finishPayment(stripe, intent, options)
}

export async function finishPayment(
  stripe: Stripe,
  intent: PaymentIntent,
  options: ResumeOptions,
): Promise<void> {
  const { payment, exponent, keep } = options
  // The processor may use other units, so our own amount takes precedence.
  const current = { ...payment, amount: payment.amount ?? amountOf(intent, exponent) }
  keep(current)
  return followPayment(intent, { ...options, stripe, payment: current })
}

/** Without a valid session or login, no card form is shown. A missing response does not end it. */
async function hasEnded(calls: TopupCalls | undefined): Promise<boolean> {
  if (!calls) return true
  const result = await calls.readWallet()
  return !result.ok && !result.offline && result.status === 401
}
