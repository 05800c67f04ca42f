/** Runs the background jobs on the books: adding up totals, and verifying. */
import type { Context } from '../context.ts'
import { repeatWork, type RepeatedWork } from '../database/repeat-work.ts'
import { startProver } from './prove-books.ts'
import { ROLL_UP_MS, rollUp } from './roll-up.ts'
import { ClockWatch } from './watch-clock.ts'

export function keepBooks(
  tools: Pick<Context, 'backgroundDb' | 'log' | 'metrics' | 'config'>,
): RepeatedWork {
  const watch = new ClockWatch(tools)
  const adder = repeatWork(tools, {
    everyMs: ROLL_UP_MS,
    name: 'adding up operations',
    work: () => rollUp(tools, watch),
  })
  const { verifyPercent } = tools.config
  const prover = verifyPercent === 0 ? undefined : startProver(tools, verifyPercent)
  return {
    async stop() {
      await Promise.all([adder.stop(), prover?.stop()])
    },
  }
}
