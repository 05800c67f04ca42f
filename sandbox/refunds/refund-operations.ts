import type Stripe from 'stripe'
import { describeAmount } from '../currencies.ts'
import { LIST_PARAMS, listObjects } from '../http/list-objects.ts'
import type { Call, Operation } from '../http/mount-api.ts'
import { mergeMetadata, readInteger, readString } from '../http/read-params.ts'
import { bookBalance } from '../payments/book-balance.ts'
import { createId, nowSeconds, idOf, type State } from '../state.ts'
import { invalidRequest, missing } from '../stripe-error.ts'
import { emitEvent } from '../webhooks/emit-event.ts'
import { failRefund } from './complete-refund.ts'

const REASONS = ['duplicate', 'fraudulent', 'requested_by_customer']

export const REFUND_OPERATIONS: Operation[] = [
  {
    route: 'POST /v1/refunds',
    accepts: ['charge', 'payment_intent', 'amount', 'reason', 'metadata'],
    run: create,
  },
  { route: 'GET /v1/refunds', accepts: [...LIST_PARAMS, 'charge', 'payment_intent'], run: list },
  { route: 'GET /v1/refunds/:id', accepts: [], run: retrieve },
  { route: 'POST /v1/refunds/:id', accepts: ['metadata'], run: update },
]

function create({ sandbox, params }: Call): Stripe.Refund {
  const charge = findCharge(sandbox.state, readString(params, 'charge'), params)
  const left = charge.amount - charge.amount_refunded
  const amount = readInteger(params, 'amount') ?? left
  checkRefundable(sandbox.state, charge, amount, left)
  const reason = readString(params, 'reason')
  if (reason !== null && !REASONS.includes(reason)) {
    throw invalidRequest(`Invalid reason: must be one of ${REASONS.join(', ')}`, {
      param: 'reason',
    })
  }
  const behaviour = sandbox.state.cards.get(idOf(charge.payment_method))?.refund
  const refund = buildRefund(charge, amount, reason)
  refund.metadata = mergeMetadata({}, params)
  refund.status = behaviour === 'pending' ? 'pending' : 'succeeded'
  refund.balance_transaction = bookBalance(sandbox, {
    type: 'refund',
    category: 'refund',
    amount: -amount,
    fee: 0,
    currency: charge.currency,
    source: refund.id,
    description: `REFUND FOR CHARGE (${charge.description ?? charge.id})`,
  }).id
  sandbox.state.refunds.set(refund.id, refund)
  charge.amount_refunded += amount
  charge.refunded = charge.amount_refunded === charge.amount
  emitEvent(sandbox, 'refund.created', refund)
  emitEvent(sandbox, 'charge.refunded', charge, {
    amount_refunded: charge.amount_refunded - amount,
  })
  const response = structuredClone(refund)
  if (behaviour === 'fails') failRefund(sandbox, refund, 'expired_or_canceled_card')
  return response
}

function findCharge(state: State, id: string | null, params: Call['params']): Stripe.Charge {
  const intentId = readString(params, 'payment_intent')
  if (id === null && intentId === null) {
    throw invalidRequest(
      'One of the following params should be provided for this request: payment_intent or charge.',
    )
  }
  const intent = state.paymentIntents.get(intentId ?? '')
  if (intentId !== null && intent === undefined) {
    throw missing('payment_intent', intentId, 'payment_intent')
  }
  const charge = state.charges.get(id ?? idOf(intent?.latest_charge))
  if (charge === undefined && id !== null) throw missing('charge', id, 'charge')
  if (charge?.status !== 'succeeded') {
    const message = `This PaymentIntent (${intentId}) does not have a successful charge to refund.`
    throw invalidRequest(message, { code: 'payment_intent_unexpected_state' })
  }
  return charge
}

function checkRefundable(state: State, charge: Stripe.Charge, amount: number, left: number) {
  const dispute = [...state.disputes.values()].find(({ charge: id }) => id === charge.id)
  if (dispute !== undefined && !dispute.is_charge_refundable) {
    const message = `Charge ${charge.id} has been charged back; cannot issue a refund.`
    throw invalidRequest(message, { code: 'charge_disputed', param: 'charge' })
  }
  if (left === 0) {
    const message = `Charge ${charge.id} has already been refunded.`
    throw invalidRequest(message, { code: 'charge_already_refunded' })
  }
  if (amount < 1) {
    const message = 'This value must be greater than or equal to 1.'
    throw invalidRequest(message, { code: 'parameter_invalid_integer', param: 'amount' })
  }
  if (amount > left) {
    const [asked, rest] = [amount, left].map((value) => describeAmount(value, charge.currency))
    const message = `Refund amount (${asked}) is greater than unrefunded amount on charge (${rest})`
    throw invalidRequest(message, { code: 'amount_too_large', param: 'amount' })
  }
}

function buildRefund(charge: Stripe.Charge, amount: number, reason: string | null): Stripe.Refund {
  return {
    id: createId('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: nowSeconds(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: { type: 'card', card: { type: 'refund', reference_status: 'pending' } },
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  }
}

function list({ sandbox, params }: Call) {
  const charge = readString(params, 'charge')
  const intent = readString(params, 'payment_intent')
  const isWanted = (refund: Stripe.Refund) =>
    (charge === null || refund.charge === charge) &&
    (intent === null || refund.payment_intent === intent)
  return listObjects(sandbox.state.refunds, params, '/v1/refunds', isWanted)
}

function retrieve({ sandbox, id }: Call) {
  const refund = sandbox.state.refunds.get(id)
  if (refund === undefined) throw missing('refund', id)
  return refund
}

function update(call: Call) {
  const refund = retrieve(call)
  refund.metadata = mergeMetadata(refund.metadata ?? {}, call.params)
  emitEvent(call.sandbox, 'refund.updated', refund)
  emitEvent(call.sandbox, 'charge.refund.updated', refund)
  return refund
}
