/**
 * Finds changes that were not reported: the browser was closed, the webhook was lost, the process died. Events are
 * polled at a fixed rate, so ten thousand abandoned intents cost nothing; open top-ups and unfinished refunds are
 * checked one by one, at intervals that double. Several processes share the work: the one that claims a turn does it.
 */
import { repeatWork, type RepeatedWork } from '../database/repeat-work.ts'
import { many, one, run } from '../database/statement.ts'
import type { StripeEvent } from '../processor/stripe.ts'
import { chargeTopup } from './automatic/charge-topup.ts'
import { claimDue, startAutomatic } from './automatic/start-due.ts'
import { eraseCustomers } from './cards/erase-customers.ts'
import { requestIntent } from './create-intent.ts'
import { EVENT_TYPES, handleEvent } from './handle-event.ts'
import {
  claimDueTopups,
  claimTurn,
  endTopup,
  findDoneEvents,
  finishTurn,
  type DueTopup,
} from './queries.ts'
import { claimDueRefunds } from './refund-queries.ts'
import { resumeRefund } from './refund-topup.ts'
import { settle } from './settle.ts'
import type { TopupTools } from './topup-tools.ts'

const TICK_MS = 1_000
const POLL_SECONDS = 10
/** Each poll repeats this much of the last one, because the processor can list events late. */
const OVERLAP_SECONDS = 15 * 60
/** How many top-ups are checked per second, and how many calls are in progress at once. */
const AT_ONCE = 5
const ABANDONED: ReadonlySet<string> = new Set([
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
])

export function startSweeper(tools: TopupTools): RepeatedWork {
  return repeatWork(tools, { everyMs: TICK_MS, name: 'the sweeper', work: () => sweep(tools) })
}

/**
 * One round. If a step fails, the error is logged and the other steps still run. While writes are paused, nothing runs:
 * work that cannot be finished would only be delayed further.
 */
export async function sweep(given: TopupTools): Promise<void> {
  const tools: TopupTools = { ...given, settledBy: 'sweeper' }
  if (await tools.ledger.readPause().catch(() => null)) return
  for (const step of [pollEvents, checkTopups, startDueTopups, finishRefunds, finishErasures]) {
    try {
      await step(tools)
    } catch (error) {
      tools.log.error(
        { err: error, step: step.name },
        'sweeper step failed; it runs again in the next round',
      )
    }
  }
}

async function pollEvents(tools: TopupTools): Promise<void> {
  const turn = await one(tools.db, claimTurn('poll-events', POLL_SECONDS))
  if (turn === undefined) return
  // From the last completed poll, however long ago that is.
  const since = Math.floor((turn.doneAtSeconds ?? turn.nowSeconds) - OVERLAP_SECONDS)
  const search = { types: [...EVENT_TYPES], created: { gte: since }, limit: 100 }
  const { events } = tools.processor.stripe
  let [page, failures] = [await events.list(search), 0]
  for (;;) {
    failures += await handleNew(tools, page.data)
    const last = page.data.at(-1)
    if (!page.has_more || last === undefined) break
    page = await events.list({ ...search, starting_after: last.id })
  }
  // If one failed, the next poll lists it again.
  if (failures === 0) await run(tools.db, finishTurn('poll-events', turn.nowSeconds))
}

/** Handles the events that were not processed before. Returns how many failed. */
async function handleNew(tools: TopupTools, events: StripeEvent[]): Promise<number> {
  const done = new Set(await many(tools.db, findDoneEvents(events.map(({ id }) => id))))
  const fresh = events.filter(({ id }) => !done.has(id))
  return eachOf(tools, fresh, (event) => handleEvent(tools, event))
}

async function checkTopups(tools: TopupTools): Promise<void> {
  if (!(await one(tools.db, claimTurn('check-topups', 1)))) return
  const due = await many(tools.db, claimDueTopups(AT_ONCE))
  await eachOf(tools, due, (topup) => checkTopup(tools, topup))
}

async function checkTopup(tools: TopupTools, topup: DueTopup) {
  if (topup.intentId === null && topup.isOld) {
    // No client ever received an intent, so nobody can pay it.
    await run(tools.db, endTopup(topup.id))
    return
  }
  if (topup.isAutomatic) return chargeTopup(tools, topup)
  const intentId = topup.intentId ?? (await requestIntent(tools, topup)).id
  const settled = await settle(tools, intentId)
  const isAbandoned = topup.isOld && ABANDONED.has(settled?.intent.status ?? '')
  if (!isAbandoned) return
  // Abandoned for a day. Once it is cancelled, nobody can pay it unnoticed.
  await tools.processor.stripe.paymentIntents.cancel(intentId)
  await run(tools.db, endTopup(topup.id))
}

async function startDueTopups(tools: TopupTools): Promise<void> {
  if (!(await one(tools.db, claimTurn('automatic-topups', 1)))) return
  await eachOf(tools, await claimDue(tools), (person) => startAutomatic(tools, person))
}

async function finishRefunds(tools: TopupTools): Promise<void> {
  if (!(await one(tools.db, claimTurn('finish-refunds', POLL_SECONDS)))) return
  const due = await many(tools.db, claimDueRefunds(10))
  await eachOf(tools, due, (refund) => resumeRefund(tools, refund))
}

async function finishErasures(tools: TopupTools): Promise<void> {
  if (!(await one(tools.db, claimTurn('finish-erasures', POLL_SECONDS)))) return
  await eraseCustomers(tools)
}

/** Runs a few at a time; if one fails, the others still run. Returns how many failed. */
async function eachOf<Item>(
  { log }: TopupTools,
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
): Promise<number> {
  let failures = 0
  for (let index = 0; index < items.length; index += AT_ONCE) {
    const results = await Promise.allSettled(items.slice(index, index + AT_ONCE).map(act))
    for (const result of results) {
      if (result.status === 'fulfilled') continue
      failures++
      log.error({ err: result.reason as unknown }, 'sweeper item failed; it is retried later')
    }
  }
  return failures
}
