/**
 * A dispute as the processor books it: what it withdrew leaves the wallet, what it gave back returns. An inquiry that
 * moved no money moves none here. Each movement is executed once, under the id of the processor's own entry.
 */
import { PROCESSOR_ACCOUNT } from '../ledger/types.ts'
import { fromStripeAmount, type Dispute } from '../processor/stripe.ts'
import { askProcessor } from './read-processor.ts'
import { noteDispute, READ_CLOCK } from './dispute-queries.ts'
import { insertFee } from './queries.ts'
import { settle, type TopupTools } from './settle.ts'

type Movement = Dispute['balance_transactions'][number]

export async function settleDispute(tools: TopupTools, disputeId: string): Promise<void> {
  const { disputes } = tools.processor.stripe
  const askedAt = (await tools.db.query<{ now: string }>(READ_CLOCK)).rows[0]?.now ?? ''
  const dispute = await askProcessor(tools, disputes.retrieve(disputeId))
  const intentId = dispute.payment_intent
  if (typeof intentId !== 'string') return
  // The money must have come before it can go.
  const settled = await settle(tools, intentId)
  if (settled?.outcome === undefined) return
  const movements = dispute.balance_transactions.toSorted((a, b) => a.amount - b.amount)
  for (const movement of movements) {
    await tools.db.query(insertFee(movement, dispute.id, settled.topup.id))
    if (movement.amount !== 0) await move(tools, settled.topup.wallet_id, dispute, movement)
  }
  await note(tools, settled.topup.id, dispute, askedAt)
}

/** For operators to see; what happens to the money does not depend on it. */
async function note(
  { db, config }: TopupTools,
  topupId: string,
  dispute: Dispute,
  askedAt: string,
) {
  const dueBy = dispute.evidence_details.due_by
  const movements = dispute.balance_transactions
  await db.query(
    noteDispute({
      id: dispute.id,
      topupId,
      amountMinor: fromStripeAmount(dispute.amount, config.currency),
      status: dispute.status,
      reason: dispute.reason,
      openedAt: new Date(dispute.created * 1000),
      respondBy: dueBy ? new Date(dueBy * 1000) : null,
      withdrawals: movements.filter(({ amount }) => amount < 0).map(({ id }) => id),
      reinstatements: movements.filter(({ amount }) => amount > 0).map(({ id }) => id),
      askedAt,
    }),
  )
}

async function move(tools: TopupTools, walletId: bigint, dispute: Dispute, movement: Movement) {
  const { ledger, config } = tools
  const isWithdrawn = movement.amount < 0
  const referenceType = isWithdrawn ? 'DISPUTE' : 'DISPUTE_REINSTATED'
  if (isWithdrawn && config.freezeOnDispute) {
    // Only before the first time: an operator who thawed the wallet has decided.
    const isKnown = await ledger.findServiceDecision(referenceType, movement.id)
    if (!isKnown) await freeze(tools, walletId, dispute)
  }
  // The processor's own entry may be in another currency: that in which it settles.
  const isOurs = movement.currency === dispute.currency
  const amount = isOurs ? Math.abs(movement.amount) : dispute.amount
  await ledger.post({
    kind: isWithdrawn ? 'seizure' : 'reversal',
    referenceType,
    referenceId: movement.id,
    walletId,
    amountMinor: fromStripeAmount(amount, config.currency),
    counterAccount: PROCESSOR_ACCOUNT,
    description: null,
  })
}

async function freeze({ ledger, log }: TopupTools, walletId: bigint, { id }: Dispute) {
  await ledger.setWalletActive(walletId, false)
  log.warn({ disputeId: id }, 'a wallet was frozen because of a dispute')
}
