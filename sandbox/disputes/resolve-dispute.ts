import type Stripe from 'stripe'
import type { Sandbox } from '../context.ts'
import { bookBalance } from '../payments/book-balance.ts'
import { idOf } from '../state.ts'
import { invalidRequest } from '../stripe-error.ts'
import { emitEvent } from '../webhooks/emit-event.ts'
import { withdrawFunds } from './open-dispute.ts'

export const DISPUTE_OUTCOMES = ['won', 'lost', 'warning_closed', 'escalated'] as const
export type DisputeOutcome = (typeof DISPUTE_OUTCOMES)[number]

/** Ends a dispute, or turns an inquiry into a chargeback (`escalated`). */
export function resolveDispute(sandbox: Sandbox, dispute: Stripe.Dispute, outcome: DisputeOutcome) {
  const before = dispute.status
  const isInquiry = before.startsWith('warning_') && before !== 'warning_closed'
  const isChargeback = before === 'needs_response' || before === 'under_review'
  const fits = outcome === 'won' || outcome === 'lost' ? isChargeback : isInquiry
  if (!fits) throw invalidRequest(`A dispute with the status ${before} cannot become ${outcome}.`)
  if (outcome === 'escalated') {
    dispute.status = 'needs_response'
    dispute.is_charge_refundable = false
    if (dispute.payment_method_details?.card !== undefined) {
      dispute.payment_method_details.card.case_type = 'chargeback'
    }
    emitEvent(sandbox, 'charge.dispute.updated', dispute, { status: before })
    withdrawFunds(sandbox, dispute)
    return
  }
  dispute.status = outcome
  if (outcome === 'won') reinstateFunds(sandbox, dispute)
  emitEvent(sandbox, 'charge.dispute.closed', dispute)
}

/** Returns the disputed amount, but not the dispute fee. */
function reinstateFunds(sandbox: Sandbox, dispute: Stripe.Dispute) {
  const transaction = bookBalance(sandbox, {
    type: 'adjustment',
    category: 'dispute_reversal',
    amount: dispute.amount,
    fee: 0,
    currency: dispute.currency,
    source: dispute.id,
    description: `Chargeback reversal for ${idOf(dispute.charge)}`,
  })
  dispute.balance_transactions.push(transaction)
  emitEvent(sandbox, 'charge.dispute.funds_reinstated', dispute)
}
