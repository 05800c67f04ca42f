/**
 * Updates the totals by hour, day and ledger account, a few seconds after the operations, so that a debit does not have
 * to. It first moves the earliest time of new operations ahead; when every transaction that may not
 * have seen this has ended, no operation from before can appear. So an operation is never counted twice and never left
 * out, however long its transaction takes, and whatever happens to the clock (decision 75).
 */
import type pg from 'pg'
import type { Context } from '../context.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { one, run } from '../database/statement.ts'
import { ADVANCE_CLOCK } from '../ledger/queries.ts'
import {
  addOperations,
  EXTEND_TIMEOUTS,
  setProgress,
  SUMMARIZE,
  TAKE_PROGRESS,
} from './totals-queries.ts'
import type { ClockWatch } from './watch-clock.ts'

export type BookTools = Pick<Context, 'backgroundDb' | 'log' | 'metrics'>

export const HOUR_MS = 60 * 60 * 1000
/**
 * The target duration of one step. After an interruption it catches up hour by hour, and in a busy hour in shorter
 * steps.
 */
const WORK_MS = 500
const STEP_MIN_MS = 10_000

/** The result of a step: there is `more` to do, all is `done`, or another process or transaction is active. */
type StepResult = 'more' | 'done' | 'not now'

/** Adds everything that is due to the totals, in one transaction per step. */
export async function updateTotals(tools: BookTools, watch?: ClockWatch): Promise<void> {
  const startedMs = performance.now()
  const clock = await inTransaction(tools.backgroundDb, async (tx) => {
    await run(tx, EXTEND_TIMEOUTS)
    return one(tx, ADVANCE_CLOCK)
  })
  if (clock === undefined) throw new Error('ledger.clock has no row')
  watch?.observe(clock, { startedMs, endedMs: performance.now() })
  let stepMs = HOUR_MS
  for (;;) {
    const startMs = performance.now()
    const result = await inTransaction(tools.backgroundDb, (tx) =>
      updateStep(tools, tx, stepMs, clock.notBefore),
    )
    if (result === 'done') await run(tools.backgroundDb, SUMMARIZE)
    if (result !== 'more') return
    const isQuick = performance.now() - startMs < WORK_MS
    stepMs = Math.min(HOUR_MS, Math.max(STEP_MIN_MS, isQuick ? stepMs * 2 : stepMs / 2))
  }
}

async function updateStep(
  { metrics }: Pick<BookTools, 'metrics'>,
  tx: pg.ClientBase,
  stepMs: number,
  notBefore: Date,
): Promise<StepResult> {
  await run(tx, EXTEND_TIMEOUTS)
  const progress = await one(tx, TAKE_PROGRESS)
  if (progress === undefined) return 'not now'
  const { totalsUpTo: from, markAt } = progress
  if (progress.isFromOtherServer) await run(tx, setProgress(from, notBefore))
  if (progress.isFromOtherServer || !progress.isSettled) return 'not now'
  const goalMs = Math.max(from.getTime(), markAt.getTime())
  const hourMs = Math.floor(from.getTime() / HOUR_MS) * HOUR_MS
  const end = new Date(Math.min(goalMs, from.getTime() + stepMs, hourMs + HOUR_MS))
  if (end > from) await run(tx, addOperations(new Date(hourMs), from, end))
  const isDone = end.getTime() === goalMs
  await run(tx, setProgress(end, isDone ? notBefore : undefined))
  metrics.setTotalsUpTo(end)
  return isDone ? 'done' : 'more'
}
