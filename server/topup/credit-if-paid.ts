/**
 * The only function that credits a top-up. The browser's confirm request, the processor's webhook and the sweeper may
 * call it repeatedly and concurrently; the ledger executes it once: the pair is (TOPUP, the intent's id), in a
 * namespace that no client app can use. The amount comes from the processor, never from the caller.
 */
import { one, run } from '../database/statement.ts'
import { PROCESSOR_ACCOUNT, type Outcome } from '../ledger/types.ts'
import { fromStripeAmount, type PaymentIntent } from '../processor/stripe.ts'
import { endAutomaticCharge, reasonOf } from './automatic/end-automatic-charge.ts'
import { resetFailures } from './automatic/queries.ts'
import { bookFee } from './book-fee.ts'
import { callProcessor } from './call-processor.ts'
import { markCredited } from './credit-queries.ts'
import { postProcessorMovement } from './post-processor-movement.ts'
import { sendReceipt } from './send-receipt.ts'
import { bindIntent, endTopup, findTopup, findTopupByIntent, type Topup } from './queries.ts'
import type { TopupTools } from './topup-tools.ts'

export interface TopupCheck {
  topup: Topup
  intent: PaymentIntent
  /** undefined: it is not paid (yet), or the wallet would exceed its maximum. */
  outcome: Outcome | undefined
}

/** undefined: the intent is not one of ours. */
export async function creditIfPaid(
  tools: TopupTools,
  intentId: string,
): Promise<TopupCheck | undefined> {
  const { paymentIntents } = tools.processor.stripe
  const expand = ['latest_charge.balance_transaction']
  const intent = await callProcessor(tools, paymentIntents.retrieve(intentId, { expand }))
  const topup = await findTopupOf(tools, intent)
  if (topup === undefined) return undefined
  if (intent.status !== 'succeeded') {
    if (intent.status === 'canceled') await endUnpaid(tools, topup, intent)
    return { topup, intent, outcome: undefined }
  }
  const outcome = await credit(tools, topup, intent)
  if (outcome.decision.refusal !== null) {
    tools.log.error(
      { intentId },
      'a paid top-up was not credited, because the wallet would exceed its maximum balance; refund the payment at the card processor',
    )
    return { topup, intent, outcome: undefined }
  }
  const changed = await run(tools.db, markCredited(topup.id, outcome.decision, tools.reportedBy))
  await bookFee(tools, topup.id, intent.latest_charge)
  if (changed === 1) await sendReceipt(tools, topup, intent)
  if (changed === 1 && topup.isAutomatic) await run(tools.db, resetFailures(topup.userId))
  return { topup, intent, outcome }
}

async function endUnpaid(tools: TopupTools, topup: Topup, intent: PaymentIntent): Promise<void> {
  if (topup.isAutomatic) await endAutomaticCharge(tools, topup, reasonOf(intent))
  else await run(tools.db, endTopup(topup.id))
}

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** If the response to creating the intent was lost, the top-up is found by the id in the intent's metadata. */
async function findTopupOf({ db, config }: TopupTools, intent: PaymentIntent) {
  const known = await one(db, findTopupByIntent(intent.id))
  if (known) return known
  const topupId = intent.metadata['topupId'] ?? ''
  if (!UUID.test(topupId)) return undefined
  const named = await one(db, findTopup(topupId))
  if (named?.amountMinor !== fromStripeAmount(intent.amount, config.currency)) return undefined
  return one(db, bindIntent(topupId, intent.id))
}

/** Also for a frozen wallet: incoming money is never refused because of that. */
async function credit({ ledger, config }: TopupTools, topup: Topup, intent: PaymentIntent) {
  if (intent.currency.toUpperCase() !== config.currency.code) {
    throw new Error('the currency of a payment intent differs from the currency of this deployment')
  }
  return postProcessorMovement(ledger, {
    kind: 'topup',
    referenceType: 'TOPUP',
    referenceId: intent.id,
    walletId: topup.walletId,
    amountMinor: fromStripeAmount(intent.amount_received, config.currency),
    counterAccount: PROCESSOR_ACCOUNT,
    description: null,
  })
}
