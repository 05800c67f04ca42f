import type Stripe from 'stripe'
import type { Sandbox } from '../context.ts'
import type { Params } from '../http/parse-form.ts'
import { readBoolean, readString } from '../http/read-params.ts'
import { idOf } from '../state.ts'
import { invalidRequest } from '../stripe-error.ts'
import type { Confirmation } from './confirm-payment-intent.ts'

export const CONFIRM_PARAMS = [
  'allowed_payment_method_types',
  'client_secret',
  'error_on_requires_action',
  'mandate_data',
  'off_session',
  'payment_method',
  'payment_method_data',
  'payment_method_options',
  'payment_method_types',
  'receipt_email',
  'return_url',
  'setup_future_usage',
  'shipping',
  'use_stripe_sdk',
]

export function readConfirmation(
  sandbox: Sandbox,
  intent: Stripe.PaymentIntent,
  params: Params,
): Confirmation {
  const returnUrl = readReturnUrl(params)
  const mayRedirect =
    intent.automatic_payment_methods?.allow_redirects === 'always' &&
    intent.allowed_payment_method_types === null
  const useStripeSdk = readBoolean(params, 'use_stripe_sdk') === true
  const isUnattended =
    params['off_session'] === 'true' || readBoolean(params, 'error_on_requires_action') === true
  if (mayRedirect && returnUrl === null && !useStripeSdk) {
    throw invalidRequest(
      'This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`. If you don’t want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` and `automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents and Payment Intents.',
    )
  }
  const method = sandbox.state.paymentMethods.get(idOf(intent.payment_method)) ?? null
  return { method, returnUrl, useStripeSdk, isUnattended }
}

function readReturnUrl(params: Params): string | null {
  const text = readString(params, 'return_url')
  if (text === null) return null
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text
  throw invalidRequest('Not a valid URL', { code: 'url_invalid', param: 'return_url' })
}
