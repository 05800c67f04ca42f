/** Runs the background jobs on the books: updating the totals, and verifying. */
import type { Context } from '../context.ts'
import { openLease } from '../database/leases.ts'
import { runPeriodically, type PeriodicJob } from '../database/run-periodically.ts'
import { one } from '../database/statement.ts'
import { READ_NOT_BEFORE } from '../ledger/queries.ts'
import { startBooksVerifier } from './verify-books.ts'
import { updateTotals } from './update-totals.ts'
import { ClockWatch } from './watch-clock.ts'

export function keepBooks(
  tools: Pick<Context, 'db' | 'backgroundDb' | 'log' | 'metrics' | 'config'>,
): PeriodicJob {
  const watch = new ClockWatch(tools)
  const updater = runPeriodically(tools, {
    everyMs: 5_000,
    name: 'update-totals',
    lease: openLease(tools.db, 'update-totals'),
    work: () => updateTotals(tools, watch),
    // Otherwise a process that takes over would not know how far the clock was set.
    withoutLease: () => watchClock(tools, watch),
  })
  const { verifyPercent } = tools.config
  const verifier = verifyPercent === 0 ? undefined : startBooksVerifier(tools, verifyPercent)
  return {
    async stop() {
      await Promise.all([updater.stop(), verifier?.stop()])
    },
  }
}

async function watchClock({ backgroundDb }: Pick<Context, 'backgroundDb'>, watch: ClockWatch) {
  const startedMs = performance.now()
  const clock = await one(backgroundDb, READ_NOT_BEFORE)
  if (clock) watch.observe(clock, { startedMs, endedMs: performance.now() })
}
