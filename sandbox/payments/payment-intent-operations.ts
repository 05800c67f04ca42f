import type Stripe from 'stripe'
import type { Sandbox } from '../context.ts'
import { checkAmount, checkCurrency } from '../currencies.ts'
import { LIST_PARAMS, listObjects } from '../http/list-objects.ts'
import type { Call, Operation } from '../http/mount-api.ts'
import { readInteger, readString } from '../http/read-params.ts'
import { nowSeconds } from '../state.ts'
import { StripeError, invalidRequest, missing } from '../stripe-error.ts'
import { emitEvent } from '../webhooks/emit-event.ts'
import { forgetAuthentications } from './authenticate-card.ts'
import { publicIntent } from './build-payment-intent.ts'
import { confirmPaymentIntent, unexpectedState } from './confirm-payment-intent.ts'
import {
  CREATE_PARAMS,
  INTENT_PARAMS,
  applyParams,
  createPaymentIntent,
} from './create-payment-intent.ts'
import { CONFIRM_PARAMS, readConfirmation } from './read-confirmation.ts'

const URL_PATH = '/v1/payment_intents'

export const PAYMENT_INTENT_OPERATIONS: Operation[] = [
  { route: `POST ${URL_PATH}`, accepts: CREATE_PARAMS, run: createPaymentIntent },
  { route: `GET ${URL_PATH}`, accepts: [...LIST_PARAMS, 'customer'], run: list },
  { route: `GET ${URL_PATH}/:id`, accepts: ['client_secret'], publishable: true, run: retrieve },
  { route: `POST ${URL_PATH}/:id`, accepts: INTENT_PARAMS, run: update },
  {
    route: `POST ${URL_PATH}/:id/confirm`,
    accepts: CONFIRM_PARAMS,
    publishable: true,
    run: confirm,
  },
  { route: `POST ${URL_PATH}/:id/cancel`, accepts: ['cancellation_reason'], run: cancel },
]

export function findIntent(sandbox: Sandbox, id: string): Stripe.PaymentIntent {
  const intent = sandbox.state.paymentIntents.get(id)
  if (intent === undefined) throw missing('payment_intent', id, 'intent')
  return intent
}

/**
 * With the publishable key, the client secret must match; otherwise the response is the same as for an unknown intent.
 */
function findForCaller({ sandbox, id, key, params }: Call): Stripe.PaymentIntent {
  const secret = readString(params, 'client_secret')
  if (key === 'publishable' && secret === null) {
    const detail = { code: 'parameter_missing', param: 'client_secret' }
    throw invalidRequest('Missing required param: client_secret.', detail)
  }
  const intent = sandbox.state.paymentIntents.get(id)
  if (intent !== undefined && (secret === null || secret === intent.client_secret)) return intent
  throw missing('payment_intent', id, 'intent')
}

function list({ sandbox, params }: Call) {
  const customer = readString(params, 'customer')
  const isWanted = (intent: Stripe.PaymentIntent) =>
    customer === null || intent.customer === customer
  return listObjects(sandbox.state.paymentIntents, params, URL_PATH, isWanted)
}

function retrieve(call: Call) {
  const intent = findForCaller(call)
  return call.key === 'publishable' ? publicIntent(intent) : intent
}

function update({ sandbox, id, params }: Call) {
  const intent = findIntent(sandbox, id)
  const amount = readInteger(params, 'amount')
  const currency = checkCurrency(readString(params, 'currency') ?? intent.currency)
  const changesMoney = (amount ?? intent.amount) !== intent.amount || currency !== intent.currency
  if (changesMoney && !isOpen(intent)) {
    const message = `This PaymentIntent's amount could not be updated because it has a status of ${intent.status}.`
    throw unexpectedState(intent, message)
  }
  intent.amount = checkAmount(amount ?? intent.amount, currency)
  intent.currency = currency
  applyParams(sandbox, intent, params)
  return intent
}

function confirm(call: Call) {
  const { sandbox, params } = call
  const intent = findForCaller(call)
  if (isOpen(intent)) applyParams(sandbox, intent, params)
  const confirmation = isOpen(intent)
    ? readConfirmation(sandbox, intent, params)
    : { method: null, returnUrl: null, useStripeSdk: false, isUnattended: false }
  const isPublic = call.key === 'publishable'
  try {
    const refusal = confirmPaymentIntent(sandbox, intent, confirmation)
    if (refusal !== null) throw refusal
  } catch (error) {
    throw isPublic ? publicError(error) : error
  }
  return isPublic ? publicIntent(intent) : intent
}

function publicError(error: unknown): unknown {
  if (!(error instanceof StripeError)) return error
  const { payment_intent: intent, ...detail } = error.detail
  if (intent === undefined) return error
  return new StripeError(error.status, error.type, error.message, {
    ...detail,
    payment_intent: publicIntent(intent),
  })
}

function cancel({ sandbox, id, params }: Call) {
  const intent = findIntent(sandbox, id)
  const reason = readString(params, 'cancellation_reason')
  if (!isOpen(intent)) {
    const message = `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_reauthorization, requires_confirmation, requires_action, processing.`
    throw unexpectedState(intent, message)
  }
  forgetAuthentications(sandbox, id)
  intent.status = 'canceled'
  intent.canceled_at = nowSeconds()
  intent.cancellation_reason = reason
  intent.next_action = null
  emitEvent(sandbox, 'payment_intent.canceled', intent)
  return intent
}

function isOpen({ status }: Stripe.PaymentIntent): boolean {
  return ['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(status)
}
