/**
 * The one place where a top-up becomes money. Whoever calls it, however often and at once (the browser's confirm, the
 * processor's webhook, the sweeper), the ledger executes it once: the pair is (TOPUP, the intent's id), in a namespace
 * that no client app can reach. What was paid is asked of the processor, never taken from the caller.
 */
import type { Context } from '../context.ts'
import { PROCESSOR_ACCOUNT, type Outcome } from '../ledger/types.ts'
import type { PaymentIntent, Processor } from '../processor/stripe.ts'
import { fromStripeAmount } from '../processor/stripe.ts'
import { askProcessor } from './read-processor.ts'
import { bookFee } from './book-fee.ts'
import {
  bindIntent,
  findTopup,
  findTopupByIntent,
  setTopupStatus,
  type TopupRow,
} from './queries.ts'

export type TopupTools = Pick<Context, 'db' | 'ledger' | 'config' | 'log'> & {
  processor: Processor
  /** Who brings the news, for those who look into it later. */
  messenger?: 'page' | 'webhook' | 'sweeper' | 'command'
}

export interface Settled {
  topup: TopupRow
  intent: PaymentIntent
  /** undefined: it is not paid (yet), or does not fit into the wallet. */
  outcome: Outcome | undefined
}

/** undefined: the intent is not one of ours. */
export async function settle(tools: TopupTools, intentId: string): Promise<Settled | undefined> {
  const { paymentIntents } = tools.processor.stripe
  const expand = ['latest_charge.balance_transaction']
  const intent = await askProcessor(tools, paymentIntents.retrieve(intentId, { expand }))
  const topup = await findTopupOf(tools, intent)
  if (topup === undefined) return undefined
  if (intent.status !== 'succeeded') {
    if (intent.status === 'canceled') await tools.db.query(setTopupStatus(topup.id, 'ended'))
    return { topup, intent, outcome: undefined }
  }
  const outcome = await credit(tools, topup, intent)
  if (outcome.decision.refusal !== null) {
    tools.log.error(
      { intentId },
      'a paid top-up does not fit into its wallet: give it back by hand',
    )
    return { topup, intent, outcome: undefined }
  }
  await tools.db.query(setTopupStatus(topup.id, 'credited', tools.messenger))
  await bookFee(tools, topup.id, intent.latest_charge)
  return { topup, intent, outcome }
}

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** An intent whose creation was never answered is found by the id that it was created with. */
async function findTopupOf({ db, config }: TopupTools, intent: PaymentIntent) {
  const known = await db.query<TopupRow>(findTopupByIntent(intent.id))
  if (known.rows[0]) return known.rows[0]
  const topupId = intent.metadata['topupId'] ?? ''
  if (!UUID.test(topupId)) return undefined
  const named = await db.query<TopupRow>(findTopup(topupId))
  if (named.rows[0]?.amount !== fromStripeAmount(intent.amount, config.currency)) return undefined
  return (await db.query<TopupRow>(bindIntent(topupId, intent.id))).rows[0]
}

/** A frozen wallet takes it too: money that comes in is never refused for that. */
async function credit({ ledger, config }: TopupTools, topup: TopupRow, intent: PaymentIntent) {
  if (intent.currency.toUpperCase() !== config.currency.code) {
    throw new Error('an intent of ours is in another currency than the deployment')
  }
  return ledger.post({
    kind: 'topup',
    referenceType: 'TOPUP',
    referenceId: intent.id,
    walletId: topup.wallet_id,
    amountMinor: fromStripeAmount(intent.amount_received, config.currency),
    counterAccount: PROCESSOR_ACCOUNT,
    description: null,
  })
}
