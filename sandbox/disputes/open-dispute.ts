import type Stripe from 'stripe'
import type { Sandbox } from '../context.ts'
import { bookBalance } from '../payments/book-balance.ts'
import { createId, nowSeconds, idOf } from '../state.ts'
import { invalidRequest } from '../stripe-error.ts'
import { emitEvent } from '../webhooks/emit-event.ts'

export const DISPUTE_FEE = 1500

export type DisputeOptions = { reason: string; isInquiry: boolean; amount?: number }

export function openDispute(
  sandbox: Sandbox,
  charge: Stripe.Charge,
  { reason, isInquiry, amount = charge.amount }: DisputeOptions,
): Stripe.Dispute {
  if (charge.status !== 'succeeded') throw invalidRequest('Only a paid charge can be disputed.')
  if (charge.disputed) throw invalidRequest('This charge is already disputed.')
  if (!Number.isInteger(amount) || amount < 1 || amount > charge.amount) {
    throw invalidRequest('amount must be between 1 and the amount of the charge.')
  }
  const dispute = buildDispute(charge, reason, isInquiry, amount)
  sandbox.state.disputes.set(dispute.id, dispute)
  charge.disputed = true
  emitEvent(sandbox, 'charge.dispute.created', dispute)
  if (!isInquiry) withdrawFunds(sandbox, dispute)
  return dispute
}

/** Withdraws the disputed amount and Stripe's fee. An inquiry withdraws neither. */
export function withdrawFunds(sandbox: Sandbox, dispute: Stripe.Dispute) {
  const transaction = bookBalance(sandbox, {
    type: 'adjustment',
    category: 'dispute',
    amount: -dispute.amount,
    fee: DISPUTE_FEE,
    currency: dispute.currency,
    source: dispute.id,
    description: `Chargeback withdrawal for ${idOf(dispute.charge)}`,
  })
  dispute.balance_transactions.push(transaction)
  emitEvent(sandbox, 'charge.dispute.funds_withdrawn', dispute)
}

function buildDispute(
  charge: Stripe.Charge,
  reason: string,
  isInquiry: boolean,
  amount: number,
): Stripe.Dispute {
  const created = nowSeconds()
  const brand = charge.payment_method_details?.card?.brand ?? 'visa'
  return {
    id: createId('du'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: emptyEvidence(),
    evidence_details: {
      due_by: created + 7 * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: isInquiry,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      type: 'card',
      card: {
        brand,
        case_type: isInquiry ? 'inquiry' : 'chargeback',
        network: brand,
        network_reason_code: reason === 'fraudulent' ? '10.4' : '13.1',
      },
    },
    reason,
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
  }
}

function emptyEvidence(): Stripe.Dispute.Evidence {
  return {
    access_activity_log: null,
    billing_address: null,
    cancellation_policy: null,
    cancellation_policy_disclosure: null,
    cancellation_rebuttal: null,
    customer_communication: null,
    customer_email_address: null,
    customer_name: null,
    customer_purchase_ip: null,
    customer_signature: null,
    duplicate_charge_documentation: null,
    duplicate_charge_explanation: null,
    duplicate_charge_id: null,
    enhanced_evidence: {},
    product_description: null,
    receipt: null,
    refund_policy: null,
    refund_policy_disclosure: null,
    refund_refusal_explanation: null,
    service_date: null,
    service_documentation: null,
    shipping_address: null,
    shipping_carrier: null,
    shipping_date: null,
    shipping_documentation: null,
    shipping_tracking_number: null,
    uncategorized_file: null,
    uncategorized_text: null,
  }
}
