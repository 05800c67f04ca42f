/**
 * Finds what nobody told us: the browser was closed, the webhook was lost, the process died half-way. Events are
 * polled at a fixed rate, so ten thousand abandoned intents cost nothing; open top-ups, and refunds that stopped
 * half-way, are asked about one by one, each time after twice as long. Several processes share the work: whoever
 * claims a turn does it.
 */
import type { StripeEvent } from '../processor/stripe.ts'
import { askForIntent } from './create-intent.ts'
import { EVENT_TYPES, handleEvent } from './handle-event.ts'
import {
  claimDueTopups,
  claimTurn,
  findDoneEvents,
  finishTurn,
  setTopupStatus,
  type TopupRow,
} from './queries.ts'
import { claimDueRefunds, type RefundRow } from './refund-queries.ts'
import { resumeRefund } from './refund-topup.ts'
import { settle, type TopupTools } from './settle.ts'

const TICK_MS = 1_000
const POLL_SECONDS = 10
/** Events are listed again from so far back, because they can be listed late. */
const OVERLAP_SECONDS = 15 * 60
/** So many top-ups are looked up in a second, and so many calls are under way at once. */
const AT_ONCE = 5
const ABANDONED: ReadonlySet<string> = new Set([
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
])

export interface Sweeper {
  stop(): Promise<void>
}

export function startSweeper(tools: TopupTools): Sweeper {
  let underWay: Promise<void> | undefined
  const timer = setInterval(() => {
    underWay ??= sweep(tools).finally(() => (underWay = undefined))
  }, TICK_MS)
  return {
    async stop() {
      clearInterval(timer)
      await underWay
    },
  }
}

/**
 * One round. A fault of one step is logged and does not keep the others from theirs. While writes are paused there is
 * none: what cannot be finished would only be put off.
 */
export async function sweep(given: TopupTools): Promise<void> {
  const tools: TopupTools = { ...given, messenger: 'sweeper' }
  if (await tools.ledger.readPause().catch(() => null)) return
  for (const step of [pollEvents, checkTopups, finishRefunds]) {
    try {
      await step(tools)
    } catch (error) {
      tools.log.error({ err: error, step: step.name }, 'the sweeper tries again in a moment')
    }
  }
}

type DueTopup = TopupRow & { is_old: boolean }

interface Turn {
  /** When it was last done to the end, if ever. */
  done_at_seconds: number | null
  now_seconds: number
}

async function claim({ db }: TopupTools, name: string, seconds: number): Promise<Turn | undefined> {
  return (await db.query<Turn>(claimTurn(name, seconds))).rows[0]
}

async function pollEvents(tools: TopupTools): Promise<void> {
  const turn = await claim(tools, 'poll-events', POLL_SECONDS)
  if (turn === undefined) return
  // From the last poll that was done to the end, however long ago that is.
  const since = Math.floor((turn.done_at_seconds ?? turn.now_seconds) - OVERLAP_SECONDS)
  const asked = { types: [...EVENT_TYPES], created: { gte: since }, limit: 100 }
  const { events } = tools.processor.stripe
  let [page, failures] = [await events.list(asked), 0]
  for (;;) {
    failures += await handleNew(tools, page.data)
    const last = page.data.at(-1)
    if (!page.has_more || last === undefined) break
    page = await events.list({ ...asked, starting_after: last.id })
  }
  // Whatever failed is listed again.
  if (failures === 0) await tools.db.query(finishTurn('poll-events', turn.now_seconds))
}

/** Those that were not brought home before. Returns how many could not be. */
async function handleNew(tools: TopupTools, events: StripeEvent[]): Promise<number> {
  const { rows } = await tools.db.query<{ id: string }>(findDoneEvents(events.map(({ id }) => id)))
  const done = new Set(rows.map(({ id }) => id))
  const fresh = events.filter(({ id }) => !done.has(id))
  return eachOf(tools, fresh, (event) => handleEvent(tools, event))
}

async function checkTopups(tools: TopupTools): Promise<void> {
  if (!(await claim(tools, 'check-topups', 1))) return
  const { rows } = await tools.db.query<DueTopup>(claimDueTopups(AT_ONCE))
  await eachOf(tools, rows, (topup) => checkTopup(tools, topup))
}

async function checkTopup(tools: TopupTools, topup: DueTopup) {
  if (topup.intent_id === null && topup.is_old) {
    // Nobody was ever told of an intent, so nobody can pay it.
    await tools.db.query(setTopupStatus(topup.id, 'ended'))
    return
  }
  const intentId = topup.intent_id ?? (await askForIntent(tools, topup)).id
  const settled = await settle(tools, intentId)
  const isAbandoned = topup.is_old && ABANDONED.has(settled?.intent.status ?? '')
  if (!isAbandoned) return
  // Whoever left it for a day does not come back; cancelled it can never be paid without us.
  await tools.processor.stripe.paymentIntents.cancel(intentId)
  await tools.db.query(setTopupStatus(topup.id, 'ended'))
}

async function finishRefunds(tools: TopupTools): Promise<void> {
  if (!(await claim(tools, 'finish-refunds', POLL_SECONDS))) return
  const { rows } = await tools.db.query<RefundRow>(claimDueRefunds(10))
  await eachOf(tools, rows, (refund) => resumeRefund(tools, refund))
}

/** A few at a time; one that fails does not keep the others from their turn. Returns how many failed. */
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
      log.error({ err: result.reason as unknown }, 'the sweeper tries this one again later')
    }
  }
  return failures
}
