/**
 * Shows in the metrics whether writes are paused. It is read regularly and not when the metrics are collected, because
 * they must be available when the database is not.
 */
import type { Context } from './context.ts'
import { runPeriodically, type PeriodicJob } from './database/run-periodically.ts'

const TICK_MS = 10_000

export function watchPause(tools: Pick<Context, 'ledger' | 'metrics' | 'log'>): PeriodicJob {
  return runPeriodically(tools, {
    everyMs: TICK_MS,
    name: 'watch-pause',
    startsNow: true,
    async work() {
      const pause = await tools.ledger.readPause()
      tools.metrics.setWritesPaused(pause !== null)
    },
  })
}
