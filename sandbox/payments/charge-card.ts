import type Stripe from 'stripe'
import type { Sandbox } from '../context.ts'
import { openDispute } from '../disputes/open-dispute.ts'
import { idOf } from '../state.ts'
import { StripeError } from '../stripe-error.ts'
import { DECLINES, type DeclineName } from '../test-cards.ts'
import { emitEvent } from '../webhooks/emit-event.ts'
import { attachToCustomer } from './attach-payment-method.ts'
import { bookBalance, feeOf } from './book-balance.ts'
import { buildCharge } from './build-charge.ts'

/** Charges the card of a confirmed intent. Returns the error if the card is declined. */
export function chargeCard(
  sandbox: Sandbox,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  isAuthenticated: boolean,
): StripeError | null {
  const card = sandbox.state.cards.get(method.id)
  const charge = buildCharge(intent, method, isAuthenticated)
  sandbox.state.charges.set(charge.id, charge)
  intent.latest_charge = charge.id
  intent.next_action = null
  intent.processing = null
  if (card?.decline !== undefined) {
    return declineCharge(sandbox, intent, method, charge, card.decline)
  }
  succeed(sandbox, intent, charge)
  saveCard(sandbox, intent, method)
  if (card?.dispute !== undefined) {
    const isInquiry = card.dispute === 'inquiry'
    const reason = card.dispute === 'inquiry' ? 'fraudulent' : card.dispute
    openDispute(sandbox, charge, { reason, isInquiry })
  }
  return null
}

/** Saves the card with the customer if the payment has setup_future_usage and the card is not saved yet. */
function saveCard(
  sandbox: Sandbox,
  { customer, setup_future_usage: usage }: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
) {
  if (usage === null || customer === null || method.customer !== null) return
  attachToCustomer(sandbox, method, idOf(customer))
}

function succeed(sandbox: Sandbox, intent: Stripe.PaymentIntent, charge: Stripe.Charge) {
  Object.assign(charge, {
    status: 'succeeded',
    paid: true,
    captured: true,
    amount_captured: charge.amount,
    outcome: outcomeOf('approved_by_network', null, 'Payment complete.', 'authorized'),
  })
  const delayMs = sandbox.faults.balanceTransactionDelayMs
  if (delayMs === 0) charge.balance_transaction = bookCharge(sandbox, charge)
  else setTimeout(() => bookLate(sandbox, charge), delayMs).unref()
  intent.status = 'succeeded'
  intent.amount_received = intent.amount
  intent.last_payment_error = null
  emitEvent(sandbox, 'charge.succeeded', charge)
  emitEvent(sandbox, 'payment_intent.succeeded', intent)
}

function bookCharge(sandbox: Sandbox, charge: Stripe.Charge): string {
  const { id, amount, currency, description } = charge
  return bookBalance(sandbox, {
    type: 'charge',
    category: 'charge',
    amount,
    fee: feeOf(amount),
    currency,
    source: id,
    description: description ?? '',
  }).id
}

function bookLate(sandbox: Sandbox, charge: Stripe.Charge) {
  const isForgotten = sandbox.state.charges.get(charge.id) !== charge
  if (isForgotten) return
  charge.balance_transaction = bookCharge(sandbox, charge)
  emitEvent(sandbox, 'charge.updated', charge, { balance_transaction: null })
}

export function declineCharge(
  sandbox: Sandbox,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  charge: Stripe.Charge,
  decline: DeclineName,
): StripeError {
  const [code, message] = DECLINES[decline]
  const isBlocked = decline === 'fraudulent'
  Object.assign(charge, {
    status: 'failed',
    failure_code: code,
    failure_message: message,
    outcome: isBlocked
      ? outcomeOf(
          'not_sent_to_network',
          'highest_risk_level',
          'Stripe blocked this payment.',
          'blocked',
        )
      : outcomeOf('declined_by_network', decline, message, 'issuer_declined'),
  })
  const detail = {
    code,
    ...(code === 'card_declined' ? { decline_code: decline } : {}),
    ...(code === 'authentication_required' ? { decline_code: decline } : {}),
    ...(code === 'incorrect_cvc' ? { param: 'cvc' } : {}),
    charge: charge.id,
  }
  failIntent(intent, method, { ...detail, message, type: 'card_error' })
  emitEvent(sandbox, 'charge.failed', charge)
  emitEvent(sandbox, 'payment_intent.payment_failed', intent)
  return new StripeError(402, 'card_error', message, {
    ...detail,
    payment_intent: structuredClone(intent),
    payment_method: structuredClone(method),
  })
}

/** After a failed payment, the intent accepts another card. */
export function failIntent(
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  error: Stripe.PaymentIntent.LastPaymentError,
) {
  const docUrl = `https://stripe.com/docs/error-codes/${error.code?.replaceAll('_', '-')}`
  intent.status = 'requires_payment_method'
  intent.payment_method = null
  intent.next_action = null
  intent.processing = null
  intent.last_payment_error = {
    ...error,
    doc_url: docUrl,
    payment_method: structuredClone(method),
  }
}

function outcomeOf(
  networkStatus: string,
  reason: string | null,
  sellerMessage: string,
  type: string,
): Stripe.Charge.Outcome {
  return {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: networkStatus,
    reason,
    risk_level: type === 'blocked' ? 'highest' : 'normal',
    risk_score: type === 'blocked' ? 92 : 12,
    seller_message: sellerMessage,
    type,
  }
}
