import { PROCESSOR_ACCOUNT } from '../ledger/types.ts'
import { fromStripeAmount, type Refund } from '../processor/stripe.ts'
import { bookFee } from './book-fee.ts'
import { findRefund, noteForeignRefund, type RefundRow } from './refund-queries.ts'
import { noteRefund } from './refund-topup.ts'
import { settle, UUID, type Settled, type TopupTools } from './settle.ts'

/** Brings every refund of an intent home: ours as we began it, and those that somebody made at the processor. */
export async function settleRefunds(tools: TopupTools, intentId: string): Promise<void> {
  const settled = await settle(tools, intentId)
  if (settled?.outcome === undefined) return
  const refunds = tools.processor.stripe.refunds.list({
    payment_intent: intentId,
    limit: 100,
    expand: ['data.balance_transaction'],
  })
  for await (const refund of refunds) {
    await bookFee(tools, settled.topup.id, refund)
    const refundId = refund.metadata?.['refundId'] ?? ''
    const { rows } = UUID.test(refundId)
      ? await tools.db.query<RefundRow>(findRefund(refundId))
      : { rows: [] }
    if (rows[0]?.topup_id === settled.topup.id) await noteRefund(tools, rows[0], refund)
    else await settleForeignRefund(tools, settled, refund)
  }
}

/** The money has left the processor already, so it leaves the wallet; what is not there is owed. */
async function settleForeignRefund(tools: TopupTools, { topup }: Settled, refund: Refund) {
  const { db, ledger, config } = tools
  const isBack = refund.status === 'failed' || refund.status === 'canceled'
  const move = {
    walletId: topup.wallet_id,
    amountMinor: fromStripeAmount(refund.amount, config.currency),
    counterAccount: PROCESSOR_ACCOUNT,
    referenceId: refund.id,
    description: null,
  }
  await ledger.post({ ...move, kind: 'seizure', referenceType: 'PROCESSOR_REFUND' })
  if (isBack) {
    await ledger.post({ ...move, kind: 'reversal', referenceType: 'PROCESSOR_REFUND_FAILED' })
  }
  const status = isBack ? 'released' : 'sent'
  await db.query(noteForeignRefund(topup.id, move.amountMinor, status, refund.id))
}
