/**
 * Gives a top-up back to the card. The wallet's money is reserved first, then the processor is asked, then it stays
 * gone or is released. Every step may be repeated: the refund's id is its name in the ledger and at the processor.
 */
import { randomUUID } from 'node:crypto'
import { PROCESSOR_ACCOUNT } from '../ledger/types.ts'
import { WritesPaused } from '../ledger/writes-paused.ts'
import { inTransaction, type Step } from '../database/in-transaction.ts'
import { isDefiniteRefusal, isPayable, toStripeAmount, type Refund } from '../processor/stripe.ts'
import { ServiceError } from '../service-error.ts'
import { askProcessor } from './read-processor.ts'
import {
  findRefund,
  insertRefund,
  lockTopup,
  setRefundStatus,
  type NewRefund,
  type RefundRow,
} from './refund-queries.ts'
import type { TopupTools } from './settle.ts'

interface RefundOptions {
  /** Whoever names the refund may ask again with the same name, and finds it. */
  id?: string
  reason?: string
  /** Taken when it is new, in the transaction that begins it. */
  alongside?: Step
}

export async function refundTopup(
  tools: TopupTools,
  topupId: string,
  amountMinor: bigint,
  { id = randomUUID(), reason, alongside }: RefundOptions = {},
): Promise<RefundRow> {
  if (!isPayable(amountMinor, tools.config.currency)) throw new ServiceError('INVALID_AMOUNT')
  // Before it begins: what is begun is finished by the sweeper, and the operator was told that it is not.
  if (await tools.ledger.readPause()) throw new WritesPaused()
  const wish = { id, topupId, amountMinor, reason: reason ?? null }
  const { refund, isNew } = await beginRefund(tools, wish, alongside)
  if (isNew || refund.status === 'refused') return finishRefund(tools, refund)
  return refund.status === 'reserved' ? resumeRefund(tools, refund) : refund
}

function beginRefund({ db }: TopupTools, wish: NewRefund, alongside?: Step) {
  const { id, topupId, amountMinor } = wish
  return inTransaction(db, async (tx) => {
    const topups = await tx.query(lockTopup(topupId))
    if (topups.rowCount === 0) throw new ServiceError('PAYMENT_INTENT_NOT_FOUND')
    const [known] = (await tx.query<RefundRow>(findRefund(id))).rows
    if (known) {
      const isSame = known.topup_id === topupId && known.amount === amountMinor
      if (!isSame) throw new ServiceError('INVALID_REQUEST', 'refundId')
      return { refund: known, isNew: false }
    }
    const [refund] = (await tx.query<RefundRow>(insertRefund(wish))).rows
    if (refund === undefined) throw new ServiceError('INVALID_AMOUNT')
    await alongside?.(tx)
    return { refund, isNew: true }
  })
}

/** The processor forgets the name of a request after a day, so whoever takes one up again looks first. */
export async function resumeRefund(tools: TopupTools, refund: RefundRow): Promise<RefundRow> {
  const { refunds } = tools.processor.stripe
  for await (const sent of refunds.list({ payment_intent: refund.intent_id, limit: 100 })) {
    if (sent.metadata?.['refundId'] === refund.id) return noteRefund(tools, refund, sent)
  }
  return finishRefund(tools, refund)
}

async function finishRefund(tools: TopupTools, refund: RefundRow): Promise<RefundRow> {
  const reserved = await moveMoney(tools, refund, 'refund')
  if (reserved.decision.refusal !== null) {
    await tools.db.query(setRefundStatus(refund.id, 'refused', null))
    throw new ServiceError(reserved.decision.refusal)
  }
  const asked = askForRefund(tools, refund)
  const isRefused = await asked.then(() => false, isDefiniteRefusal)
  if (isRefused) await release(tools, refund, null)
  return noteRefund(tools, refund, await askProcessor(tools, asked))
}

/** What the processor says of it now; a refund may fail days after it was accepted. */
export async function noteRefund(
  tools: TopupTools,
  refund: RefundRow,
  sent: Refund,
): Promise<RefundRow> {
  if (sent.status === 'failed' || sent.status === 'canceled') {
    await release(tools, refund, sent.id)
    return { ...refund, status: 'released' }
  }
  await tools.db.query(setRefundStatus(refund.id, 'sent', sent.id))
  return { ...refund, status: 'sent' }
}

async function release(tools: TopupTools, refund: RefundRow, stripeId: string | null) {
  await moveMoney(tools, refund, 'reversal')
  await tools.db.query(setRefundStatus(refund.id, 'released', stripeId))
}

function askForRefund({ processor, config }: TopupTools, refund: RefundRow): Promise<Refund> {
  return processor.stripe.refunds.create(
    {
      payment_intent: refund.intent_id,
      amount: toStripeAmount(refund.amount, config.currency),
      metadata: { refundId: refund.id },
    },
    { idempotencyKey: `refund-${refund.id}` },
  )
}

function moveMoney({ ledger }: TopupTools, refund: RefundRow, kind: 'refund' | 'reversal') {
  return ledger.post({
    kind,
    referenceType: kind === 'refund' ? 'TOPUP_REFUND' : 'TOPUP_REFUND_RELEASED',
    referenceId: refund.id,
    walletId: refund.wallet_id,
    amountMinor: refund.amount,
    counterAccount: PROCESSOR_ACCOUNT,
    description: null,
  })
}
