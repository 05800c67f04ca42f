/**
 * Refunds a top-up to the card: reserves the money in the wallet, requests the refund from the processor, then keeps or
 * releases the reservation. Every step is repeatable: the ledger and the processor both know the refund by its id.
 */
import { randomUUID } from 'node:crypto'
import { PROCESSOR_ACCOUNT } from '../ledger/types.ts'
import { inTransaction, type Step } from '../database/in-transaction.ts'
import { one, run } from '../database/statement.ts'
import {
  isDefiniteRefusal,
  isPayable,
  isReturned,
  toStripeAmount,
  type Refund,
} from '../processor/stripe.ts'
import { InvalidAmount, ServiceError, WritesPaused } from '../service-error.ts'
import { callProcessor } from './call-processor.ts'
import { NOT_PAYABLE } from './create-intent.ts'
import { postProcessorMovement } from './post-processor-movement.ts'
import {
  findRefund,
  insertRefund,
  lockTopup,
  setRefundStatus,
  type NewRefund,
  type TopupRefund,
} from './refund-queries.ts'
import type { TopupTools } from './topup-tools.ts'

const RELEASED = 'TOPUP_REFUND_RELEASED'

interface RefundOptions {
  /** A caller that chooses the id can repeat the request and gets the same refund. */
  id?: string
  reason?: string
  /** Runs in the transaction that starts a new refund. */
  onStart?: Step
}

export async function refundTopup(
  tools: TopupTools,
  topupId: string,
  amountMinor: bigint,
  { id = randomUUID(), reason, onStart }: RefundOptions = {},
): Promise<TopupRefund> {
  if (!isPayable(amountMinor, tools.config.currency)) throw new InvalidAmount('amount', NOT_PAYABLE)
  // Checked before the refund starts, because the sweeper would finish a started one although the operator was told
  // that it was refused.
  if (await tools.ledger.readPause()) throw new WritesPaused()
  const newRefund = { id, topupId, amountMinor, reason: reason ?? null }
  const { refund, isNew } = await startRefund(tools, newRefund, onStart)
  if (isNew || refund.status === 'refused') return finishRefund(tools, refund)
  return refund.status === 'reserved' ? resumeRefund(tools, refund) : refund
}

function startRefund({ db }: TopupTools, newRefund: NewRefund, onStart?: Step) {
  const { id, topupId, amountMinor } = newRefund
  return inTransaction(db, async (tx) => {
    const topups = await run(tx, lockTopup(topupId))
    if (topups === 0) throw new ServiceError('PAYMENT_INTENT_NOT_FOUND')
    const known = await one(tx, findRefund(id))
    if (known) {
      const isSame = known.topupId === topupId && known.amountMinor === amountMinor
      if (!isSame) throw new ServiceError('INVALID_REQUEST', 'refundId')
      return { refund: known, isNew: false }
    }
    const refund = await one(tx, insertRefund(newRefund))
    if (refund === undefined) {
      const problem =
        'The field amount is more than what is left to refund. Choose a smaller amount.'
      throw new InvalidAmount('amount', problem)
    }
    await onStart?.(tx)
    return { refund, isNew: true }
  })
}

/** The processor keeps idempotency keys for a day only, so an unfinished refund is first looked up there. */
export async function resumeRefund(tools: TopupTools, refund: TopupRefund): Promise<TopupRefund> {
  const { refunds } = tools.processor.stripe
  for await (const sent of refunds.list({ payment_intent: refund.intentId, limit: 100 })) {
    if (sent.metadata?.['refundId'] === refund.id) return recordRefund(tools, refund, sent)
  }
  return finishRefund(tools, refund)
}

async function finishRefund(tools: TopupTools, refund: TopupRefund): Promise<TopupRefund> {
  const reserved = await moveMoney(tools, refund, 'card_refund')
  if (reserved.decision.refusal !== null) {
    await run(tools.db, setRefundStatus(refund.id, 'refused', null))
    throw new ServiceError(reserved.decision.refusal)
  }
  if (await isReleased(tools, refund)) {
    await run(tools.db, setRefundStatus(refund.id, 'released', null))
    return { ...refund, status: 'released' }
  }
  const response = requestRefund(tools, refund)
  const isRefused = await response.then(() => false, isDefiniteRefusal)
  if (isRefused) await release(tools, refund, null)
  return recordRefund(tools, refund, await callProcessor(tools, response))
}

/** Records the refund's state at the processor; a refund can fail days after it was accepted. */
export async function recordRefund(
  tools: TopupTools,
  refund: TopupRefund,
  sent: Refund,
): Promise<TopupRefund> {
  if (isReturned(sent)) {
    await release(tools, refund, sent.id)
    return { ...refund, status: 'released' }
  }
  await run(tools.db, setRefundStatus(refund.id, 'sent', sent.id))
  return { ...refund, status: 'sent' }
}

async function release(tools: TopupTools, refund: TopupRefund, stripeId: string | null) {
  await moveMoney(tools, refund, 'reversal')
  await run(tools.db, setRefundStatus(refund.id, 'released', stripeId))
}

/** The ledger knows it before the row does: a process can stop between the two. */
async function isReleased({ ledger }: TopupTools, { id }: TopupRefund): Promise<boolean> {
  return (await ledger.findServiceDecision(RELEASED, id)) !== undefined
}

function requestRefund({ processor, config }: TopupTools, refund: TopupRefund): Promise<Refund> {
  return processor.stripe.refunds.create(
    {
      payment_intent: refund.intentId,
      amount: toStripeAmount(refund.amountMinor, config.currency),
      metadata: { refundId: refund.id },
    },
    { idempotencyKey: `refund-${refund.id}` },
  )
}

function moveMoney({ ledger }: TopupTools, refund: TopupRefund, kind: 'card_refund' | 'reversal') {
  return postProcessorMovement(ledger, {
    kind,
    referenceType: kind === 'card_refund' ? 'TOPUP_REFUND' : RELEASED,
    referenceId: refund.id,
    walletId: refund.walletId,
    amountMinor: refund.amountMinor,
    counterAccount: PROCESSOR_ACCOUNT,
    description: null,
  })
}
