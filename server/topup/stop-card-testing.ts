/**
 * Somebody who has stolen card numbers tests them with small payments. The browser pays with the processor directly, so
 * the service sees only the failures, as events: after a few of them it cancels the person's open top-ups.
 */
import { many, one } from '../database/statement.ts'
import { cancelTopup } from './cancel-topup.ts'
import { countFailure, findFailureWait } from './failure-queries.ts'
import { listOpenTopups } from './queries.ts'
import { creditIfPaid } from './credit-if-paid.ts'
import type { TopupTools } from './topup-tools.ts'

/** Failed payments of one person within an hour. */
export const FAILURES_MAX = 5

export async function stopCardTesting(
  tools: TopupTools,
  eventId: string,
  intentId: string,
): Promise<void> {
  const { db, log } = tools
  const userId = await one(db, countFailure(eventId, intentId))
  if (userId === undefined) return
  if ((await one(db, findFailureWait(userId, FAILURES_MAX))) === undefined) return
  log.warn({ intentId }, 'too many failed payments; canceling the open top-ups of this person')
  for (const { id, intentId: open } of await many(db, listOpenTopups(userId))) {
    if (open === null) continue
    const isCanceled = await cancelTopup(tools, id, open)
    if (!isCanceled) await creditIfPaid(tools, open)
  }
}
