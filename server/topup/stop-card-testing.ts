/**
 * Somebody who has stolen card numbers tests them with small payments. The browser pays with the processor directly, so
 * the service sees only the failures, as events: after a few of them it cancels the person's open top-ups.
 */
import { many, one, run } from '../database/statement.ts'
import { isDefiniteRefusal } from '../processor/stripe.ts'
import { callProcessor } from './call-processor.ts'
import { countFailure, findFailureWait } from './failure-queries.ts'
import { listOpenTopups, setTopupStatus } from './queries.ts'
import { settle } from './settle.ts'
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
  log.warn({ intentId }, 'too many failed payments; cancelling the open top-ups of this person')
  for (const topup of await many(db, listOpenTopups(userId))) {
    if (topup.intentId !== null) await cancelTopup(tools, topup.id, topup.intentId)
  }
}

/** The processor refuses to cancel a payment that has succeeded or is in progress; it is credited as usual. */
async function cancelTopup(tools: TopupTools, id: string, intentId: string) {
  const response = tools.processor.stripe.paymentIntents.cancel(intentId)
  const isRefused = await response.then(() => false, isDefiniteRefusal)
  if (isRefused) return settle(tools, intentId)
  await callProcessor(tools, response)
  return run(tools.db, setTopupStatus(id, 'ended'))
}
