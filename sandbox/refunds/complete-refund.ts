import type Stripe from 'stripe'
import type { Sandbox } from '../context.ts'
import { bookBalance } from '../payments/book-balance.ts'
import { idOf } from '../state.ts'
import { invalidRequest } from '../stripe-error.ts'
import { emitEvent } from '../webhooks/emit-event.ts'

/** The bank could not pay the cardholder, so the money returns to the merchant's balance. */
export function failRefund(sandbox: Sandbox, refund: Stripe.Refund, reason: string) {
  if (refund.status === 'failed') throw invalidRequest('This refund has already failed.')
  const charge = sandbox.state.charges.get(idOf(refund.charge))
  const before = refund.status
  refund.status = 'failed'
  refund.failure_reason = reason
  refund.failure_balance_transaction = bookBalance(sandbox, {
    type: 'refund_failure',
    category: 'refund_failure',
    amount: refund.amount,
    fee: 0,
    currency: refund.currency,
    source: refund.id,
    description: `REFUND FAILURE (${refund.id})`,
  }).id
  if (charge !== undefined) {
    charge.amount_refunded -= refund.amount
    charge.refunded = false
  }
  emitEvent(sandbox, 'refund.updated', refund, { status: before })
  emitEvent(sandbox, 'charge.refund.updated', refund, { status: before })
  emitEvent(sandbox, 'refund.failed', refund)
}

export function succeedRefund(sandbox: Sandbox, refund: Stripe.Refund) {
  if (refund.status !== 'pending') throw invalidRequest('This refund is not pending.')
  refund.status = 'succeeded'
  emitEvent(sandbox, 'refund.updated', refund, { status: 'pending' })
  emitEvent(sandbox, 'charge.refund.updated', refund, { status: 'pending' })
}
