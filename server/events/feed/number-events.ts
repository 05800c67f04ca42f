/**
 * Numbers the events of all client apps. Every process does it, one at a time. If a process stops in the middle, its
 * transaction is rolled back, and the rows are still in the outbox.
 */
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { one, run } from '../../database/statement.ts'
import { runPeriodically, type PeriodicJob } from '../../database/run-periodically.ts'
import { LOCK_OUTBOX, moveEvents, READ_DELAY } from './queries.ts'

const TICK_MS = 250
const PORTION = 1_000

type Tools = Pick<Context, 'backgroundDb' | 'log' | 'metrics'>

export function startEventNumbering(tools: Tools): PeriodicJob {
  return runPeriodically(tools, {
    everyMs: TICK_MS,
    name: 'number-events',
    work: () => numberEvents(tools),
  })
}

export async function numberEvents({
  backgroundDb: db,
  metrics,
}: Pick<Tools, 'backgroundDb' | 'metrics'>): Promise<void> {
  const delaySeconds = await one(db, READ_DELAY)
  metrics.setEventDelay(delaySeconds ?? 0)
  if (delaySeconds === undefined) return
  let moved
  do {
    moved = await inTransaction(db, async (tx) =>
      (await one(tx, LOCK_OUTBOX)) ? run(tx, moveEvents(PORTION)) : 0,
    )
  } while (moved === PORTION)
}
