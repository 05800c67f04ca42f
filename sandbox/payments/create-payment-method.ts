import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import type { Sandbox } from '../context.ts'
import type { Params } from '../http/parse-form.ts'
import {
  mergeMetadata,
  readGroup,
  readInteger,
  readString,
  requireString,
} from '../http/read-params.ts'
import { createId, nowSeconds } from '../state.ts'
import { StripeError, invalidRequest, missing } from '../stripe-error.ts'
import { findCard, findNamedCard, passesLuhn } from '../test-cards.ts'

type CardInput = { number: string; expMonth: number; expYear: number; hasCvc: boolean }

export function createPaymentMethod(sandbox: Sandbox, params: Params): Stripe.PaymentMethod {
  const type = requireString(params, 'type')
  if (type !== 'card') {
    throw invalidRequest(`The sandbox does not support payment methods of type ${type}.`, {
      param: 'type',
    })
  }
  const card = readGroup(params, 'card')
  if (card === null) {
    const detail = { code: 'parameter_missing', param: 'card' }
    throw invalidRequest('Missing required param: card.', detail)
  }
  const method = buildCard(sandbox, readCard(card))
  method.metadata = mergeMetadata({}, params)
  Object.assign(method.billing_details, readBilling(params))
  return method
}

/** Returns a stored payment method, or creates one for a test name such as `pm_card_visa`. */
export function findPaymentMethod(sandbox: Sandbox, id: string): Stripe.PaymentMethod {
  const number = findNamedCard(id)
  if (number !== undefined) return buildCard(sandbox, readyMade(number))
  const method = sandbox.state.paymentMethods.get(id)
  if (method === undefined) throw missing('PaymentMethod', id, 'payment_method', 400)
  return method
}

/** Creates a payment method from a card number, for the control API. */
export function paymentMethodOfNumber(sandbox: Sandbox, number: string): Stripe.PaymentMethod {
  return buildCard(sandbox, checkCard(readyMade(number.replaceAll(' ', ''))))
}

function readyMade(number: string): CardInput {
  return { number, expMonth: 12, expYear: new Date().getUTCFullYear() + 3, hasCvc: true }
}

function readCard(card: Params): CardInput {
  const token = readString(card, 'token')
  if (token !== null) {
    const number = findNamedCard(token)
    if (number === undefined) throw missing('token', token, 'card[token]', 400)
    return readyMade(number)
  }
  const cvc = readString(card, 'cvc')
  if (cvc !== null && !/^\d{3,4}$/.test(cvc)) {
    throw refusedCard('invalid_cvc', "Your card's security code is invalid.", 'cvc')
  }
  return checkCard({
    number: requireString(card, 'number').replaceAll(/[\s-]/g, ''),
    expMonth: readInteger(card, 'exp_month') ?? 0,
    expYear: readInteger(card, 'exp_year') ?? 0,
    hasCvc: cvc !== null,
  })
}

function checkCard(input: CardInput): CardInput {
  if (!passesLuhn(input.number)) {
    throw refusedCard('incorrect_number', 'Your card number is incorrect.', 'number')
  }
  if (input.expMonth < 1 || input.expMonth > 12) {
    const message = "Your card's expiration month is invalid."
    throw refusedCard('invalid_expiry_month', message, 'exp_month')
  }
  const expYear = input.expYear < 100 ? 2000 + input.expYear : input.expYear
  const now = new Date()
  const isPast = expYear * 12 + input.expMonth < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1
  if (isPast || expYear > now.getUTCFullYear() + 50) {
    const message = "Your card's expiration year is invalid."
    throw refusedCard('invalid_expiry_year', message, 'exp_year')
  }
  return { ...input, expYear }
}

function refusedCard(code: string, message: string, param: string): StripeError {
  return new StripeError(402, 'card_error', message, { code, param })
}

function readBilling(params: Params): Partial<Stripe.PaymentMethod.BillingDetails> {
  const billing = readGroup(params, 'billing_details') ?? {}
  return {
    name: readString(billing, 'name'),
    email: readString(billing, 'email'),
    phone: readString(billing, 'phone'),
  }
}

function buildCard(sandbox: Sandbox, input: CardInput): Stripe.PaymentMethod {
  const card = findCard(input.number)
  const fingerprint = createHash('sha256').update(input.number).digest('base64url')
  const method: Stripe.PaymentMethod = {
    id: createId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: {
      address: emptyAddress(),
      email: null,
      name: null,
      phone: null,
      tax_id: null,
    },
    card: {
      brand: card.brand,
      checks: {
        address_line1_check: null,
        address_postal_code_check: null,
        cvc_check: input.hasCvc ? 'unchecked' : null,
      },
      country: card.country,
      display_brand: card.brand,
      exp_month: input.expMonth,
      exp_year: input.expYear,
      fingerprint: fingerprint.replaceAll(/[-_]/g, '0').slice(0, 16),
      funding: card.funding,
      generated_from: null,
      last4: input.number.slice(-4),
      networks: { available: [card.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: nowSeconds(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  }
  sandbox.state.paymentMethods.set(method.id, method)
  sandbox.state.cards.set(method.id, card)
  return method
}

function emptyAddress(): Stripe.Address {
  return { city: null, country: null, line1: null, line2: null, postal_code: null, state: null }
}
