import { many } from '../database/statement.ts'
import { callProcessor } from './call-processor.ts'
import { cancelTopup } from './cancel-topup.ts'
import { mayCallStripe, type StripeCaller } from './limit-stripe-calls.ts'
import { listOpenTopups, type Topup } from './queries.ts'
import type { PageTools, TopupTools } from './topup-tools.ts'

/** How many top-ups are checked, so that one request does not cause many calls. */
const CHECKED_MAX = 5

/**
 * Cancels the person's top-ups that nobody is paying: no card was entered, or the last one was declined. Then they no
 * longer count toward the limit per day. A page that still shows one reports that it was canceled.
 */
export async function endUnpaidTopups(tools: PageTools, caller: StripeCaller): Promise<void> {
  const open = await many(tools.db, listOpenTopups(caller.userId))
  const checked: Topup[] = []
  for (const topup of open.slice(0, CHECKED_MAX)) {
    // A refused top-up creates nothing, so without this check repeated requests could cause calls without a limit.
    if (!(await mayCallStripe(tools, caller))) break
    checked.push(topup)
  }
  await Promise.all(checked.map((topup) => endIfUnpaid(tools, topup)))
}

async function endIfUnpaid(tools: TopupTools, { id, intentId }: Topup) {
  if (intentId === null) return
  const { paymentIntents } = tools.processor.stripe
  const { status } = await callProcessor(tools, paymentIntents.retrieve(intentId))
  if (status !== 'requires_payment_method') return
  await cancelTopup(tools, id, intentId)
}
