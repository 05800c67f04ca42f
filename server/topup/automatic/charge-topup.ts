/**
 * Charges the saved card of an automatic top-up. The intent is created first and confirmed in a second call, so that
 * its id is stored before any money moves: whatever happens afterwards, the processor knows whether it was paid.
 */
import { run } from '../../database/statement.ts'
import { isDefiniteRefusal, type PaymentIntent } from '../../processor/stripe.ts'
import { ServiceError } from '../../service-error.ts'
import { callProcessor } from '../call-processor.ts'
import { requestIntent } from '../create-intent.ts'
import type { DueTopup, Topup } from '../queries.ts'
import { creditIfPaid } from '../credit-if-paid.ts'
import type { TopupTools } from '../topup-tools.ts'
import { endAutomaticCharge, reasonOf } from './end-automatic-charge.ts'
import type { SuspensionReason } from '../../mail/messages-en.ts'
import { findWanted } from './queries.ts'

/** May be repeated at any time: the processor charges an intent once. */
export async function chargeTopup(tools: TopupTools, topup: DueTopup): Promise<void> {
  const intentId = topup.intentId ?? (await createCharge(tools, topup))
  if (intentId === undefined) return
  const before = await readStatus(tools, intentId)
  if (before?.status !== 'requires_confirmation') {
    if (before && isUnpaid(before)) await giveUp(tools, topup, before, reasonOf(before))
    return
  }
  // The terms, the card, the wallet or the month may have changed since the top-up was started.
  if (topup.isOld || !(await isWanted(tools, topup))) {
    return giveUp(tools, topup, before, null)
  }
  const isRefused = await confirm(tools, topup.id, intentId)
  const after = await readStatus(tools, intentId)
  if (after && isUnpaid(after)) return giveUp(tools, topup, after, reasonOf(after))
  const isCardGone = isRefused && after?.status === 'requires_confirmation'
  if (isCardGone) await giveUp(tools, topup, after, 'card')
}

/** undefined: the card was removed. */
async function createCharge(tools: TopupTools, topup: DueTopup): Promise<string | undefined> {
  try {
    return (await requestIntent(tools, topup)).id
  } catch (error) {
    const isCardGone = error instanceof ServiceError && error.code === 'CARD_NOT_FOUND'
    if (!isCardGone) throw error
    await endAutomaticCharge(tools, topup, 'card')
    return undefined
  }
}

/** Credits the wallet if it is paid. */
async function readStatus(tools: TopupTools, intentId: string): Promise<PaymentIntent | undefined> {
  return (await creditIfPaid(tools, intentId))?.intent
}

function isUnpaid({ status }: PaymentIntent): boolean {
  return status === 'requires_payment_method' || status === 'requires_action'
}

async function isWanted({ db }: TopupTools, { id }: Topup): Promise<boolean> {
  return (await run(db, findWanted(id))) > 0
}

/** Returns whether the processor refused. Every attempt has the same key, so it gets the same response. */
async function confirm(tools: TopupTools, topupId: string, intentId: string): Promise<boolean> {
  const response = tools.processor.stripe.paymentIntents.confirm(
    intentId,
    { off_session: true },
    { idempotencyKey: `charge-${topupId}` },
  )
  const isRefused = await response.then(() => false, isDefiniteRefusal)
  if (!isRefused) await callProcessor(tools, response)
  return isRefused
}

/** After the cancellation nobody can pay it. If it is refused, the charge succeeded in the meantime. */
async function giveUp(
  tools: TopupTools,
  topup: DueTopup,
  { id }: PaymentIntent,
  reason: SuspensionReason | null,
): Promise<void> {
  const response = tools.processor.stripe.paymentIntents.cancel(id)
  const isRefused = await response.then(() => false, isDefiniteRefusal)
  if (isRefused) {
    await creditIfPaid(tools, id)
    return
  }
  await callProcessor(tools, response)
  await endAutomaticCharge(tools, topup, reason)
}
