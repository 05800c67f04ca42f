import { one, run } from '../database/statement.ts'
import { PROCESSOR_ACCOUNT } from '../ledger/types.ts'
import { fromStripeAmount, isReturned, type Refund } from '../processor/stripe.ts'
import { bookFee } from './book-fee.ts'
import { callProcessor } from './call-processor.ts'
import { findRefund, upsertProcessorRefund, type TopupRefund } from './refund-queries.ts'
import { postProcessorMovement } from './post-processor-movement.ts'
import { recordRefund } from './refund-topup.ts'
import { creditIfPaid, UUID, type TopupCheck } from './credit-if-paid.ts'
import type { TopupTools } from './topup-tools.ts'

/** Far more than any payment has. */
const REFUNDS_MAX = 10_000

/** Applies every refund of an intent: those that we started and those that somebody made at the processor. */
export async function applyRefunds(tools: TopupTools, intentId: string): Promise<void> {
  const check = await creditIfPaid(tools, intentId)
  if (check?.outcome === undefined) return
  const refunds = tools.processor.stripe.refunds.list({
    payment_intent: intentId,
    limit: 100,
    expand: ['data.balance_transaction'],
  })
  for (const refund of await callProcessor(
    tools,
    refunds.autoPagingToArray({ limit: REFUNDS_MAX }),
  )) {
    await bookFee(tools, check.topup.id, refund)
    const refundId = refund.metadata?.['refundId'] ?? ''
    const ours = UUID.test(refundId) ? await one(tools.db, findRefund(refundId)) : undefined
    const isOurs = ours?.topupId === check.topup.id && isSame(ours, refund)
    if (isOurs) await recordRefund(tools, ours, refund)
    else await applyProcessorRefund(tools, check, refund)
  }
}

/**
 * Somebody with access to the processor can put the id of one of our refunds into the metadata of another refund: the
 * id of one that the ledger refused or released, or that the processor knows by another id.
 */
function isSame({ status, stripeId }: TopupRefund, { id }: Refund): boolean {
  return stripeId === null ? status === 'reserved' : stripeId === id
}

/** The money has already left the processor, so it leaves the wallet; a shortfall becomes debt. */
async function applyProcessorRefund(tools: TopupTools, { topup }: TopupCheck, refund: Refund) {
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
    await postProcessorMovement(ledger, { ...move, kind: 'reversal', referenceType })
  }
  const status = isBack ? 'released' : 'sent'
  await run(db, upsertProcessorRefund(topup.id, move.amountMinor, status, refund.id))
}
