import type { Stripe, StripeElements } from '@stripe/stripe-js'
import type { TopupMessages } from './messages-en.ts'
import { topupPath, type StartedPayment } from './address.ts'
import { explainDecline } from './explain.ts'
import type { TopupFlow } from './flow.ts'
import { readIntent, screenOf } from './follow.ts'

interface Paying {
  stripe: Stripe
  elements: StripeElements
  flow: TopupFlow
  payment: StartedPayment
  texts: TopupMessages
  clientId: string
}

/** Charges the card. Resolves to the error to show on the form, if there is one. */
export async function payByCard(paying: Paying): Promise<string> {
  const { stripe, elements, flow, payment, texts, clientId } = paying
  const { paymentIntent, error } = await stripe.confirmPayment({
    elements,
    redirect: 'if_required',
    confirmParams: { return_url: location.origin + topupPath(clientId) },
  })
  if (paymentIntent) {
    await flow.settle(stripe, paymentIntent)
    return ''
  }
  // The card form shows its own errors.
  if (error.type === 'validation_error') return ''
  if (error.type === 'card_error') return explainDecline(error, texts)
  // A response can be lost after the card was charged; only the processor knows.
  const intent = await readIntent({ stripe, payment })
  if (intent && screenOf(intent, payment, texts)?.name !== 'card') {
    await flow.settle(stripe, intent)
    return ''
  }
  return intent ? explainDecline(error, texts) : texts.declined.unanswered
}
