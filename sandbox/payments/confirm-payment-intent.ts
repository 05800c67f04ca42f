import type Stripe from 'stripe'
import type { Sandbox } from '../context.ts'
import { idOf } from '../state.ts'
import { invalidRequest, type StripeError } from '../stripe-error.ts'
import { checkCustomer } from './attach-payment-method.ts'
import { beginAuthentication } from './authenticate-card.ts'
import { buildCharge } from './build-charge.ts'
import { declineCharge } from './charge-card.ts'
import { takePayment } from './take-payment.ts'

export type Confirmation = {
  method: Stripe.PaymentMethod | null
  returnUrl: string | null
  /** Stripe.js shows the challenge over the page. */
  useStripeSdk: boolean
  /** The cardholder is not present and cannot complete a challenge. */
  isUnattended: boolean
}

/** Confirms an intent. Returns the error if the card is declined; throws if the intent cannot be confirmed. */
export function confirmPaymentIntent(
  sandbox: Sandbox,
  intent: Stripe.PaymentIntent,
  confirmation: Confirmation,
): StripeError | null {
  checkConfirmable(intent)
  const method = confirmation.method ?? storedMethod(sandbox, intent)
  checkCustomer(sandbox, method, intent)
  intent.payment_method = method.id
  intent.last_payment_error = null
  if (needsChallenge(sandbox, intent, method)) {
    if (confirmation.isUnattended) {
      const charge = buildCharge(intent, method, false)
      sandbox.state.charges.set(charge.id, charge)
      intent.latest_charge = charge.id
      return declineCharge(sandbox, intent, method, charge, 'authentication_required')
    }
    beginAuthentication(sandbox, intent, method, confirmation)
    return null
  }
  return takePayment(sandbox, intent, method, false)
}

function checkConfirmable(intent: Stripe.PaymentIntent) {
  const open = ['requires_payment_method', 'requires_confirmation', 'requires_action']
  if (open.includes(intent.status)) return
  const why =
    intent.status === 'succeeded'
      ? 'it has already succeeded after being previously confirmed.'
      : `it has a status of ${intent.status}.`
  throw unexpectedState(intent, `You cannot confirm this PaymentIntent because ${why}`)
}

export function unexpectedState(intent: Stripe.PaymentIntent, message: string): StripeError {
  const code = 'payment_intent_unexpected_state'
  return invalidRequest(message, { code, payment_intent: structuredClone(intent) })
}

function storedMethod(sandbox: Sandbox, intent: Stripe.PaymentIntent): Stripe.PaymentMethod {
  const method = sandbox.state.paymentMethods.get(idOf(intent.payment_method))
  if (method !== undefined) return method
  throw unexpectedState(
    intent,
    "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
  )
}

function needsChallenge(
  sandbox: Sandbox,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): boolean {
  const asked = intent.payment_method_options?.card?.request_three_d_secure
  const isAsked = asked === 'any' || asked === 'challenge'
  return isAsked || sandbox.state.cards.get(method.id)?.threeDSecure !== undefined
}
