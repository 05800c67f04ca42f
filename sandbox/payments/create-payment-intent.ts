import type Stripe from 'stripe'
import type { Sandbox } from '../context.ts'
import { checkAmount, checkCurrency } from '../currencies.ts'
import type { Call } from '../http/mount-api.ts'
import type { Params } from '../http/parse-form.ts'
import {
  mergeMetadata,
  readBoolean,
  readGroup,
  readString,
  readStrings,
  requireInteger,
  requireString,
} from '../http/read-params.ts'
import { invalidRequest, missing } from '../stripe-error.ts'
import { emitEvent } from '../webhooks/emit-event.ts'
import { checkCustomer } from './attach-payment-method.ts'
import { buildPaymentIntent } from './build-payment-intent.ts'
import { confirmPaymentIntent } from './confirm-payment-intent.ts'
import { createPaymentMethod, findPaymentMethod } from './create-payment-method.ts'
import { readConfirmation } from './read-confirmation.ts'

export const INTENT_PARAMS = [
  'allowed_payment_method_types',
  'amount',
  'currency',
  'customer',
  'description',
  'metadata',
  'payment_method',
  'payment_method_data',
  'payment_method_options',
  'payment_method_types',
  'receipt_email',
  'setup_future_usage',
  'shipping',
  'statement_descriptor',
  'statement_descriptor_suffix',
  'capture_method',
]

export const CREATE_PARAMS = [
  ...INTENT_PARAMS,
  'automatic_payment_methods',
  'confirm',
  'confirmation_method',
  'error_on_requires_action',
  'mandate_data',
  'off_session',
  'return_url',
  'use_stripe_sdk',
]

export function createPaymentIntent({ sandbox, params }: Call): Stripe.PaymentIntent {
  const amount = requireInteger(params, 'amount')
  const currency = checkCurrency(requireString(params, 'currency'))
  const intent = buildPaymentIntent({ amount: checkAmount(amount, currency), currency })
  chooseMethodTypes(intent, params)
  applyParams(sandbox, intent, params)
  const confirmation =
    readBoolean(params, 'confirm') === true ? readConfirmation(sandbox, intent, params) : null
  sandbox.state.paymentIntents.set(intent.id, intent)
  emitEvent(sandbox, 'payment_intent.created', intent)
  if (confirmation === null) return intent
  const refusal = confirmPaymentIntent(sandbox, intent, confirmation)
  if (refusal !== null) throw refusal
  return intent
}

/** Applies the parameters that creating, updating and confirming have in common. */
export function applyParams(sandbox: Sandbox, intent: Stripe.PaymentIntent, params: Params) {
  const customer = readString(params, 'customer')
  if (customer !== null && !sandbox.state.customers.has(customer)) {
    throw missing('customer', customer, 'customer', 400)
  }
  if (customer !== null) intent.customer = customer
  const description = readString(params, 'description')
  if (description !== null) intent.description = description
  const email = readString(params, 'receipt_email')
  if (email !== null) intent.receipt_email = email
  const suffix = readString(params, 'statement_descriptor_suffix')
  if (suffix !== null) intent.statement_descriptor_suffix = suffix
  const shipping = readGroup(params, 'shipping')
  if (shipping !== null) intent.shipping = structuredClone(shipping)
  const options = readGroup(readGroup(params, 'payment_method_options') ?? {}, 'card') ?? {}
  const asked = readString(options, 'request_three_d_secure')
  const card = intent.payment_method_options?.card
  if (asked !== null && card !== undefined) card.request_three_d_secure = asked
  intent.metadata = mergeMetadata(intent.metadata, params)
  chooseFutureUsage(intent, params)
  chooseCaptureMethod(intent, params)
  choosePaymentMethod(sandbox, intent, params)
}

function choosePaymentMethod(sandbox: Sandbox, intent: Stripe.PaymentIntent, params: Params) {
  const id = readString(params, 'payment_method')
  const data = readGroup(params, 'payment_method_data')
  if (id === null && data === null) return
  const method =
    data === null ? findPaymentMethod(sandbox, id ?? '') : createPaymentMethod(sandbox, data)
  checkCustomer(sandbox, method, intent)
  intent.payment_method = method.id
  if (intent.status === 'requires_payment_method') intent.status = 'requires_confirmation'
}

function chooseFutureUsage(intent: Stripe.PaymentIntent, params: Params) {
  const usage = readString(params, 'setup_future_usage')
  if (usage === null) return
  if (usage !== 'off_session' && usage !== 'on_session') {
    const message = 'Invalid setup_future_usage: must be one of off_session or on_session'
    throw invalidRequest(message, { param: 'setup_future_usage' })
  }
  intent.setup_future_usage = usage
}

function chooseCaptureMethod(intent: Stripe.PaymentIntent, params: Params) {
  const capture = readString(params, 'capture_method')
  if (capture === null) return
  if (capture !== 'automatic' && capture !== 'automatic_async') {
    const message = 'The sandbox does not support capture_method=manual.'
    throw invalidRequest(message, { param: 'capture_method' })
  }
  intent.capture_method = capture
}

/** Stripe offers every suitable method unless the caller lists types, in the new or the old parameter. */
function chooseMethodTypes(intent: Stripe.PaymentIntent, params: Params) {
  const allowed = readStrings(params, 'allowed_payment_method_types')
  const types = allowed ?? readStrings(params, 'payment_method_types')
  const unknown = types?.find((type) => type !== 'card' && type !== 'link')
  if (unknown !== undefined) {
    const message = `The sandbox takes cards only; it knows no payment method type ${unknown}.`
    throw invalidRequest(message, { param: 'allowed_payment_method_types' })
  }
  intent.allowed_payment_method_types = allowed
  if (types !== null) intent.payment_method_types = types
  if (types !== null && allowed === null) return
  const automatic = readGroup(params, 'automatic_payment_methods') ?? {}
  const redirects = readString(automatic, 'allow_redirects') ?? 'always'
  intent.automatic_payment_methods = { enabled: true, allow_redirects: redirects }
}
