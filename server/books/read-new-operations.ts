/**
 * Reads new operations for jobs that react to them, so that a debit does not have to: each operation once, a few
 * seconds after its commit, in one process at a time. A job works in the transaction that also stores how far the
 * reader is, so a crash leaves both or none. It reads only what the totals contain: no operation from before can still
 * appear, whatever happens to the clock (decision 75).
 */
import type pg from 'pg'
import type { Context } from '../context.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { one, run, type Database } from '../database/statement.ts'
import { runPeriodically, type PeriodicJob } from '../database/run-periodically.ts'
import { EXTEND_TIMEOUTS } from './totals-queries.ts'
import { HOUR_MS } from './update-totals.ts'
import { LOCK_POSITION, READ_POSITION, setPosition } from './reader-queries.ts'

type Tools = Pick<Context, 'backgroundDb' | 'log' | 'metrics'>

/** Operations with a time from `from` on and before `before`. */
export interface Period {
  from: Date
  before: Date
}

/** What reacts to new operations. It must only write to the database. */
export interface ReaderJob {
  /** From when on it needs operations; undefined: it needs none at present. */
  findStart(db: Database): Promise<Date | undefined>
  handle(tx: pg.ClientBase, period: Period): Promise<void>
}

interface StartedJob {
  job: ReaderJob
  start: Date
}

/** The target duration of one step, and the shortest period that a step reads. */
const WORK_MS = 500
const STEP_MIN_MS = 10_000
const FIRST_STEP_MS = 60_000

const TICK_MS = 1_000

export function startOperationReader(tools: Tools, jobs: readonly ReaderJob[]): PeriodicJob {
  return runPeriodically(tools, {
    everyMs: TICK_MS,
    name: 'read-operations',
    work: () => readNewOperations(tools, jobs),
  })
}

/** Reads everything that is due, in one transaction per step. */
export async function readNewOperations(
  { backgroundDb: db, metrics }: Pick<Tools, 'backgroundDb' | 'metrics'>,
  jobs: readonly ReaderJob[],
): Promise<void> {
  const started = await findStarted(db, jobs)
  const position = started.length > 0 ? await one(db, READ_POSITION) : undefined
  const due = position && findDue(position, started)
  metrics.setReaderDelay(due ? (due.before.getTime() - due.from.getTime()) / 1000 : 0)
  if (due === undefined) return
  let stepMs = FIRST_STEP_MS
  for (;;) {
    const startMs = performance.now()
    const hasMore = await inTransaction(db, (tx) => readStep(tx, started, stepMs))
    if (!hasMore) return
    const isQuick = performance.now() - startMs < WORK_MS
    stepMs = Math.min(HOUR_MS, Math.max(STEP_MIN_MS, isQuick ? stepMs * 2 : stepMs / 2))
  }
}

async function findStarted(db: Database, jobs: readonly ReaderJob[]): Promise<StartedJob[]> {
  const started: StartedJob[] = []
  for (const job of jobs) {
    const start = await job.findStart(db)
    if (start) started.push({ job, start })
  }
  return started
}

/** What nobody needs is skipped: a job that starts gets nothing from before its start. */
function findDue(
  { readTo, totalsUpTo }: { readTo: Date; totalsUpTo: Date },
  started: readonly StartedJob[],
): Period | undefined {
  const startMs = Math.min(...started.map(({ start }) => start.getTime()))
  const from = new Date(Math.max(readTo.getTime(), startMs))
  return from < totalsUpTo ? { from, before: totalsUpTo } : undefined
}

/** Returns whether there is more to read. */
async function readStep(
  tx: pg.ClientBase,
  started: readonly StartedJob[],
  stepMs: number,
): Promise<boolean> {
  await run(tx, EXTEND_TIMEOUTS)
  const position = await one(tx, LOCK_POSITION)
  const due = position && findDue(position, started)
  if (due === undefined) return false
  const { from } = due
  const before = new Date(Math.min(due.before.getTime(), from.getTime() + stepMs))
  for (const { job, start } of started) {
    if (start < before) await job.handle(tx, { from: start > from ? start : from, before })
  }
  await run(tx, setPosition(before))
  return before < due.before
}
