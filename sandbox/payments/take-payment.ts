import type Stripe from 'stripe'
import type { Sandbox } from '../context.ts'
import type { StripeError } from '../stripe-error.ts'
import { emitEvent } from '../webhooks/emit-event.ts'
import { chargeCard } from './charge-card.ts'

/** Charges the card, or leaves the intent in `processing` until `endProcessing` is called. */
export function takePayment(
  sandbox: Sandbox,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  isAuthenticated: boolean,
): StripeError | null {
  if (!sandbox.faults.processing) return chargeCard(sandbox, intent, method, isAuthenticated)
  intent.status = 'processing'
  intent.next_action = null
  intent.processing = { type: 'card', card: {} }
  emitEvent(sandbox, 'payment_intent.processing', intent)
  return null
}
