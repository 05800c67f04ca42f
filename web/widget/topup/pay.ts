import type { PaymentIntentResult, Stripe, StripeElements } from '@stripe/stripe-js'
import type { TopupMessages } from './messages-en.ts'
import type { StartedPayment } from './address.ts'
import { explainDecline } from './explain.ts'
import type { TopupFlow } from './flow.ts'
import { retrieveIntent, screenOf } from './follow.ts'

interface PayOptions {
  stripe: Stripe
  /** undefined: a saved card pays. */
  elements?: StripeElements
  flow: Pick<TopupFlow, 'finish'>
  payment: StartedPayment
  messages: TopupMessages
  /** Where the bank sends the person back to. */
  path: string
}

/** A call that fails is like one without a response: the card may have been charged. */
const NO_RESPONSE = { error: { type: 'api_connection_error' } } as PaymentIntentResult

/** Charges the card. Resolves to the error to show on the form, if there is one. */
export async function payByCard(options: PayOptions): Promise<string> {
  const { stripe, elements, flow, payment, messages, path } = options
  const { clientSecret, choice } = payment
  const confirmParams = { return_url: location.origin + path }
  const confirmed = elements
    ? stripe.confirmPayment({ elements, redirect: 'if_required', confirmParams })
    : stripe.confirmPayment({
        clientSecret,
        redirect: 'if_required',
        confirmParams: { ...confirmParams, payment_method: choice?.cardId ?? '' },
      })
  const { paymentIntent, error } = await confirmed.catch(() => NO_RESPONSE)
  if (paymentIntent) {
    await flow.finish(stripe, paymentIntent)
    return ''
  }
  // The card form shows its own errors.
  if (error.type === 'validation_error') return ''
  if (error.type === 'card_error') return explainDecline(error, messages)
  // A response can be lost after the card was charged; only the processor knows.
  const { paymentIntent: intent } = await retrieveIntent(stripe, payment)
  if (intent && screenOf(intent, payment, messages)?.name !== 'card') {
    await flow.finish(stripe, intent)
    return ''
  }
  // The processor may still be charging the card, so the payment counts as unpaid only after a refusal.
  const isRefused = error.type !== 'api_connection_error' && error.type !== 'api_error'
  return intent && isRefused ? explainDecline(error, messages) : messages.declined.unanswered
}

/** Lets the bank ask for its confirmation. Whatever the call returns, the status at the processor decides. */
export async function confirmWithBank(
  stripe: Stripe,
  { clientSecret }: StartedPayment,
  flow: Pick<TopupFlow, 'resume'>,
): Promise<void> {
  await stripe.handleNextAction({ clientSecret }).catch(() => undefined)
  await flow.resume()
}
