/**
 * Finds changes that were not reported: the browser was closed, the webhook was lost, the process died. Events are
 * polled at a fixed rate, so ten thousand abandoned intents cost nothing; open top-ups and unfinished refunds are
 * checked one by one, at intervals that double. One process at a time does each job, for the limits of the processor;
 * nothing is charged, credited or refunded twice if two do.
 */
import { openLease } from '../database/leases.ts'
import { runPeriodically, type PeriodicJob } from '../database/run-periodically.ts'
import { many, one, run } from '../database/statement.ts'
import type { StripeEvent } from '../processor/stripe.ts'
import { chargeTopup } from './automatic/charge-topup.ts'
import { claimDue, startAutomatic } from './automatic/start-due.ts'
import { eraseCustomers } from './cards/erase-customers.ts'
import { requestIntent } from './create-intent.ts'
import { EVENT_TYPES, handleEvent } from './receive-webhook.ts'
import {
  claimDueTopups,
  endTopup,
  findDoneEvents,
  READ_POLL,
  setPolled,
  type DueTopup,
} from './queries.ts'
import { claimDueRefunds } from './refund-queries.ts'
import { resumeRefund } from './refund-topup.ts'
import { creditIfPaid } from './credit-if-paid.ts'
import type { TopupTools } from './topup-tools.ts'

/** Each poll repeats this much of the last one, because the processor can list events late. */
const OVERLAP_SECONDS = 15 * 60
/** How many top-ups are checked per second, and how many calls are in progress at once. */
const AT_ONCE = 5
const ABANDONED: ReadonlySet<string> = new Set([
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
])

interface SweeperJob {
  /** Of the job in the log, and of the lease: only the process that has it runs the job. */
  name: string
  everyMs: number
  work: (tools: TopupTools) => Promise<void>
}

export const SWEEPER_JOBS: readonly SweeperJob[] = [
  { name: 'poll-events', everyMs: 10_000, work: pollEvents },
  { name: 'check-topups', everyMs: 1_000, work: checkTopups },
  { name: 'automatic-topups', everyMs: 1_000, work: startDueTopups },
  { name: 'finish-refunds', everyMs: 10_000, work: finishRefunds },
  { name: 'finish-erasures', everyMs: 10_000, work: eraseCustomers },
]

export function startSweeper(tools: TopupTools): PeriodicJob {
  const running = SWEEPER_JOBS.map((job) =>
    runPeriodically(tools, {
      everyMs: job.everyMs,
      name: job.name,
      lease: openLease(tools.db, job.name),
      work: () => runSweeperJob(tools, job),
    }),
  )
  return {
    async stop() {
      await Promise.all(running.map((work) => work.stop()))
    },
  }
}

/** Not while writes are paused: work that cannot be finished would only be delayed further. */
export async function runSweeperJob(tools: TopupTools, { work }: SweeperJob): Promise<void> {
  if (await tools.ledger.readPause().catch(() => null)) return
  await work({ ...tools, reportedBy: 'sweeper' })
}

async function pollEvents(tools: TopupTools): Promise<void> {
  const poll = await one(tools.db, READ_POLL)
  if (poll === undefined) throw new Error('directory.polled_events has no row')
  // From the last completed poll, however long ago that is.
  const since = Math.floor((poll.polledToSeconds ?? poll.nowSeconds) - OVERLAP_SECONDS)
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
  if (failures === 0) await run(tools.db, setPolled(poll.nowSeconds))
}

/** Handles the events that were not processed before. Returns how many failed. */
async function handleNew(tools: TopupTools, events: StripeEvent[]): Promise<number> {
  const done = new Set(await many(tools.db, findDoneEvents(events.map(({ id }) => id))))
  const fresh = events.filter(({ id }) => !done.has(id))
  return eachOf(tools, fresh, (event) => handleEvent(tools, event))
}

async function checkTopups(tools: TopupTools): Promise<void> {
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
  const check = await creditIfPaid(tools, intentId)
  const isAbandoned = topup.isOld && ABANDONED.has(check?.intent.status ?? '')
  if (!isAbandoned) return
  // Abandoned for a day. Once it is cancelled, nobody can pay it unnoticed.
  await tools.processor.stripe.paymentIntents.cancel(intentId)
  await run(tools.db, endTopup(topup.id))
}

async function startDueTopups(tools: TopupTools): Promise<void> {
  await eachOf(tools, await claimDue(tools), (person) => startAutomatic(tools, person))
}

async function finishRefunds(tools: TopupTools): Promise<void> {
  const due = await many(tools.db, claimDueRefunds(10))
  await eachOf(tools, due, (refund) => resumeRefund(tools, refund))
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
      log.error(
        { err: result.reason as unknown },
        'the sweeper could not process an item; it will retry',
      )
    }
  }
  return failures
}
