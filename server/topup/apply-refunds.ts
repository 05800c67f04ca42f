import { one, run } from '../database/statement.ts'
import { PROCESSOR_ACCOUNT } from '../ledger/types.ts'
import { fromStripeAmount, isReturned, type Refund } from '../processor/stripe.ts'
import { bookFee } from './book-fee.ts'
import { callProcessor } from './call-processor.ts'
import { findRefund, upsertForeignRefund, type TopupRefund } from './refund-queries.ts'
import { receiveMoney } from './receive-money.ts'
import { recordRefund } from './refund-topup.ts'
import { creditIfPaid, UUID, type TopupCheck } from './credit-if-paid.ts'
import type { TopupTools } from './topup-tools.ts'

/** Far more than any payment has. */
const MOST = 10_000

/** Applies every refund of an intent: those that we started and those that somebody made at the processor. */
export async function applyRefunds(tools: TopupTools, intentId: string): Promise<void> {
  const check = await creditIfPaid(tools, intentId)
  if (check?.outcome === undefined) return
  const refunds = tools.processor.stripe.refunds.list({
    payment_intent: intentId,
    limit: 100,
    expand: ['data.balance_transaction'],
  })
  for (const refund of await callProcessor(tools, refunds.autoPagingToArray({ limit: MOST }))) {
    await bookFee(tools, check.topup.id, refund)
    const refundId = refund.metadata?.['refundId'] ?? ''
    const ours = UUID.test(refundId) ? await one(tools.db, findRefund(refundId)) : undefined
    const isOurs = ours?.topupId === check.topup.id && isSame(ours, refund)
    if (isOurs) await recordRefund(tools, ours, refund)
    else await applyForeignRefund(tools, check, refund)
  }
}

/**
 * Whoever has access to the processor can name a refund after one of ours: after one that the ledger refused or
 * released, or that the processor knows by another id.
 */
function isSame({ status, stripeId }: TopupRefund, { id }: Refund): boolean {
  return stripeId === null ? status === 'reserved' : stripeId === id
}

/** The money has already left the processor, so it leaves the wallet; a shortfall becomes debt. */
async function applyForeignRefund(tools: TopupTools, { topup }: TopupCheck, refund: Refund) {
  const { db, ledger, config } = tools
  const isBack = isReturned(refund)
  const move = {
    walletId: topup.walletId,
    amountMinor: fromStripeAmount(refund.amount, config.currency),
    counterAccount: PROCESSOR_ACCOUNT,
    referenceId: refund.id,
    description: null,
  }
  await ledger.post({ ...move, kind: 'seizure', referenceType: 'PROCESSOR_REFUND' })
  if (isBack) {
    const referenceType = 'PROCESSOR_REFUND_FAILED'
    await receiveMoney(ledger, { ...move, kind: 'reversal', referenceType })
  }
  const status = isBack ? 'released' : 'sent'
  await run(db, upsertForeignRefund(topup.id, move.amountMinor, status, refund.id))
}
