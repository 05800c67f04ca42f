import { many } from '../database/statement.ts'
import { callProcessor } from './call-processor.ts'
import { cancelTopup } from './cancel-topup.ts'
import { listOpenTopups, type Topup } from './queries.ts'
import type { TopupTools } from './topup-tools.ts'

/** How many top-ups are checked, so that one request does not cause many calls. */
const MOST = 5

/**
 * Cancels the person's top-ups that nobody is paying: no card was entered, or the last one was declined. Then they no
 * longer count toward the limit per day. A page that still shows one reports that it was canceled.
 */
export async function endUnpaidTopups(tools: TopupTools, userId: bigint): Promise<void> {
  const open = await many(tools.db, listOpenTopups(userId))
  await Promise.all(open.slice(0, MOST).map((topup) => endIfUnpaid(tools, topup)))
}

async function endIfUnpaid(tools: TopupTools, { id, intentId }: Topup) {
  if (intentId === null) return
  const { paymentIntents } = tools.processor.stripe
  const { status } = await callProcessor(tools, paymentIntents.retrieve(intentId))
  if (status !== 'requires_payment_method') return
  await cancelTopup(tools, id, intentId)
}
