import type Stripe from 'stripe'
import type { Sandbox } from '../context.ts'
import { createId, type Authentication } from '../state.ts'
import { invalidRequest, type StripeError } from '../stripe-error.ts'
import { emitEvent } from '../webhooks/emit-event.ts'
import { failIntent } from './charge-card.ts'
import { takePayment } from './take-payment.ts'

type AuthenticationOptions = { returnUrl: string | null; useStripeSdk: boolean }

/** Starts 3-D Secure: Stripe.js shows it over the page, or a separate page shows it and redirects back. */
export function beginAuthentication(
  sandbox: Sandbox,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  { returnUrl, useStripeSdk }: AuthenticationOptions,
) {
  const { state, faults, settings } = sandbox
  forgetAuthentications(sandbox, intent.id)
  const authentication: Authentication = {
    id: createId('payatt'),
    paymentIntentId: intent.id,
    paymentMethodId: method.id,
    returnUrl,
  }
  state.authentications.set(authentication.id, authentication)
  const url = `${settings.publicUrl}/sandbox/3ds/${authentication.id}`
  const wantsRedirect =
    faults.threeDSecure === 'redirect' || state.cards.get(method.id)?.threeDSecure === 'redirect'
  intent.status = 'requires_action'
  intent.next_action =
    returnUrl !== null && (!useStripeSdk || wantsRedirect)
      ? { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url } }
      : {
          type: 'use_stripe_sdk',
          use_stripe_sdk: {
            type: 'three_d_secure_redirect',
            stripe_js: url,
            source: authentication.id,
          },
        }
  emitEvent(sandbox, 'payment_intent.requires_action', intent)
}

/** Applies the outcome that the cardholder chose in the challenge. */
export function endAuthentication(
  sandbox: Sandbox,
  authentication: Authentication,
  outcome: 'succeeded' | 'failed',
): StripeError | null {
  const { state } = sandbox
  const intent = state.paymentIntents.get(authentication.paymentIntentId)
  const method = state.paymentMethods.get(authentication.paymentMethodId)
  const isOpen = state.authentications.delete(authentication.id)
  if (intent?.status !== 'requires_action' || method === undefined || !isOpen) {
    throw invalidRequest('This challenge has ended.')
  }
  if (outcome === 'succeeded') return takePayment(sandbox, intent, method, true)
  failIntent(intent, method, {
    code: 'payment_intent_authentication_failure',
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    type: 'invalid_request_error',
  })
  emitEvent(sandbox, 'payment_intent.payment_failed', intent)
  return null
}

export function forgetAuthentications(sandbox: Sandbox, intentId: string) {
  const { authentications } = sandbox.state
  for (const { id, paymentIntentId } of authentications.values()) {
    if (paymentIntentId === intentId) authentications.delete(id)
  }
}
