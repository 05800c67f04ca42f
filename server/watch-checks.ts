/** Shows the results of `coffer check` in the metrics, because timers run it in processes of their own. */
import { LIST_CHECKS } from './admin/check-queries.ts'
import type { Context } from './context.ts'
import { runPeriodically, type PeriodicJob } from './database/run-periodically.ts'
import { many } from './database/statement.ts'

const TICK_MS = 30_000

export function watchChecks(tools: Pick<Context, 'backgroundDb' | 'metrics' | 'log'>): PeriodicJob {
  return runPeriodically(tools, {
    everyMs: TICK_MS,
    name: 'watch-checks',
    startsNow: true,
    work: async () => tools.metrics.setChecks(await many(tools.backgroundDb, LIST_CHECKS)),
  })
}
