/** Runs the background jobs on the books: adding up totals, and verifying. */
import type { Context } from '../context.ts'
import { startProver } from './prove-books.ts'
import { ROLL_UP_MS, rollUp } from './roll-up.ts'
import { ClockWatch } from './watch-clock.ts'

export interface BookKeeper {
  stop(): Promise<void>
}

export function keepBooks(
  tools: Pick<Context, 'backgroundDb' | 'log' | 'metrics' | 'config'>,
): BookKeeper {
  const watch = new ClockWatch(tools)
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= rollUp(tools, watch)
      .catch((error: unknown) =>
        tools.log.warn({ err: error }, 'adding up operations failed; it runs again shortly'),
      )
      .finally(() => (running = undefined))
  }, ROLL_UP_MS)
  const { verifyPercent } = tools.config
  const prover = verifyPercent === 0 ? undefined : startProver(tools, verifyPercent)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all([running, prover?.stop()])
    },
  }
}
