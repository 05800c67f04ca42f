/**
 * Applies a dispute as the processor books it: a withdrawal leaves the wallet, a reinstatement returns to it. An
 * inquiry without movements changes nothing. Each movement is executed once, under the id of the processor's entry.
 */
import { inTransaction } from '../database/in-transaction.ts'
import { one, run } from '../database/statement.ts'
import { PROCESSOR_ACCOUNT } from '../ledger/types.ts'
import { addWalletEvents } from '../events/outbox-queries.ts'
import { fromStripeAmount, type Dispute } from '../processor/stripe.ts'
import { callProcessor } from './call-processor.ts'
import { READ_CLOCK, upsertDispute } from './dispute-queries.ts'
import { insertFee } from './queries.ts'
import { postProcessorMovement } from './post-processor-movement.ts'
import { creditIfPaid } from './credit-if-paid.ts'
import type { TopupTools } from './topup-tools.ts'

type Movement = Dispute['balance_transactions'][number]

export async function applyDispute(tools: TopupTools, disputeId: string): Promise<void> {
  const { disputes } = tools.processor.stripe
  const requestedAt = (await one(tools.db, READ_CLOCK)) ?? ''
  const dispute = await callProcessor(tools, disputes.retrieve(disputeId))
  const intentId = dispute.payment_intent
  if (typeof intentId !== 'string') return
  // The top-up must be credited before its money can leave.
  const check = await creditIfPaid(tools, intentId)
  if (check?.outcome === undefined) return
  const movements = dispute.balance_transactions.toSorted((a, b) => a.amount - b.amount)
  for (const movement of movements) {
    await run(tools.db, insertFee(movement, dispute.id, check.topup.id))
    if (movement.amount !== 0) await move(tools, check.topup.walletId, dispute, movement)
  }
  await record(tools, check.topup.id, dispute, requestedAt)
}

/** Stored for operators only; the money does not depend on it. */
async function record(
  { db, config }: TopupTools,
  topupId: string,
  dispute: Dispute,
  requestedAt: string,
) {
  const dueBy = dispute.evidence_details.due_by
  const movements = dispute.balance_transactions
  await run(
    db,
    upsertDispute({
      id: dispute.id,
      topupId,
      amountMinor: fromStripeAmount(dispute.amount, config.currency),
      status: dispute.status,
      reason: dispute.reason,
      openedAt: new Date(dispute.created * 1000),
      respondBy: dueBy ? new Date(dueBy * 1000) : null,
      withdrawals: movements.filter(({ amount }) => amount < 0).map(({ id }) => id),
      reinstatements: movements.filter(({ amount }) => amount > 0).map(({ id }) => id),
      requestedAt,
    }),
  )
}

async function move(tools: TopupTools, walletId: bigint, dispute: Dispute, movement: Movement) {
  const { ledger, config } = tools
  const isWithdrawn = movement.amount < 0
  const referenceType = isWithdrawn ? 'DISPUTE' : 'DISPUTE_REINSTATED'
  if (isWithdrawn && config.freezeOnDispute) {
    // Only the first time: an operator may have reactivated the wallet since.
    const isKnown = await ledger.findServiceDecision(referenceType, movement.id)
    if (!isKnown) await freeze(tools, walletId, dispute)
  }
  // The processor's entry may be in another currency, that of the balance at the processor.
  const isOurs = movement.currency === dispute.currency
  const amount = isOurs ? Math.abs(movement.amount) : dispute.amount
  await postProcessorMovement(ledger, {
    kind: isWithdrawn ? 'seizure' : 'reversal',
    referenceType,
    referenceId: movement.id,
    walletId,
    amountMinor: fromStripeAmount(amount, config.currency),
    counterAccount: PROCESSOR_ACCOUNT,
    description: null,
  })
}

async function freeze({ db, ledger, log }: TopupTools, walletId: bigint, { id }: Dispute) {
  await inTransaction(db, async (tx) => {
    const isChanged = await ledger.setWalletActive(walletId, false, tx)
    if (isChanged) await run(tx, addWalletEvents(walletId, 'wallet.frozen'))
  })
  log.warn({ disputeId: id }, 'wallet frozen because of a dispute')
}
