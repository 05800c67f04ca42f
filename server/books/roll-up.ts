/**
 * Adds up the operations by hour, day and account, a few seconds behind the present, so that nothing has to be
 * counted in the path of a debit. How far it may go is decided by PostgreSQL's transaction numbers, see
 * books.progress: an operation is never counted twice and never left out, however long its transaction takes, unless
 * the clock is set back by more than the margin. That is what counting again is for (recount.ts).
 */
import type pg from 'pg'
import type { Context } from '../context.ts'
import { inTransaction } from '../database/in-transaction.ts'
import {
  addOperations,
  BE_PATIENT,
  setProgress,
  SUMMARIZE,
  TAKE_TURN,
  type ProgressRow,
} from './roll-up-queries.ts'

export type BookTools = Pick<Context, 'db' | 'log' | 'metrics'>

export const ROLL_UP_MS = 5_000
/** A new primary's clock may be so far behind the old one's. */
const MARGIN_MS = 2_000
export const HOUR_MS = 60 * 60 * 1000
/** After a long pause it catches up hour by hour; a step of a busy hour is as short as this work needs. */
const WORK_MS = 500
const STEP_MIN_MS = 10_000

/** What became of a turn: `more` is left to do at once, or the others have it or must be waited for. */
type RolledUp = 'more' | 'done' | 'not now'

interface RollUpOptions {
  /** Until the next turn, whoever takes it. */
  pauseMs?: number
  marginMs?: number
}

/** Does what is due, in one transaction for each step. */
export async function rollUp(tools: BookTools, options: RollUpOptions = {}): Promise<void> {
  let stepMs = HOUR_MS
  for (;;) {
    const startMs = performance.now()
    const result = await inTransaction(tools.db, (tx) => rollUpStep(tools, tx, stepMs, options))
    if (result === 'done') await tools.db.query(SUMMARIZE)
    if (result !== 'more') return
    const isQuick = performance.now() - startMs < WORK_MS
    stepMs = Math.min(HOUR_MS, Math.max(STEP_MIN_MS, isQuick ? stepMs * 2 : stepMs / 2))
  }
}

async function rollUpStep(
  { metrics }: Pick<BookTools, 'metrics'>,
  tx: pg.ClientBase,
  stepMs: number,
  { pauseMs = ROLL_UP_MS, marginMs = MARGIN_MS }: RollUpOptions,
): Promise<RolledUp> {
  await tx.query(BE_PATIENT)
  const [progress] = (await tx.query<ProgressRow>(TAKE_TURN)).rows
  if (progress === undefined) return 'not now'
  const { rolled_up_to: from, mark_at: markAt } = progress
  if (progress.is_foreign) {
    await tx.query(setProgress(from, { isMarked: true, pauseMs }))
    return 'not now'
  }
  if (!progress.is_settled) {
    await tx.query(setProgress(from, { isMarked: false, pauseMs }))
    return 'not now'
  }
  const goalMs = Math.max(from.getTime(), markAt.getTime() - marginMs)
  const hourMs = Math.floor(from.getTime() / HOUR_MS) * HOUR_MS
  const end = new Date(Math.min(goalMs, from.getTime() + stepMs, hourMs + HOUR_MS))
  if (end > from) await tx.query(addOperations(new Date(hourMs), from, end))
  const isDone = end.getTime() === goalMs
  await tx.query(setProgress(end, { isMarked: isDone, pauseMs: isDone ? pauseMs : 0 }))
  metrics.setRolledUp(end)
  return isDone ? 'done' : 'more'
}
