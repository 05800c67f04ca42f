/** What is done about the books all the time, beside the requests: adding up, and proving. */
import type { Context } from '../context.ts'
import { startProver } from './prove-books.ts'
import { ROLL_UP_MS, rollUp } from './roll-up.ts'

export interface BookKeeper {
  stop(): Promise<void>
}

export function keepBooks(tools: Pick<Context, 'db' | 'log' | 'metrics' | 'config'>): BookKeeper {
  let underWay: Promise<void> | undefined
  const timer = setInterval(() => {
    underWay ??= rollUp(tools)
      .catch((error: unknown) =>
        tools.log.warn({ err: error }, 'operations are added up again in a moment'),
      )
      .finally(() => (underWay = undefined))
  }, ROLL_UP_MS)
  const { verifyPercent } = tools.config
  const prover = verifyPercent === 0 ? undefined : startProver(tools, verifyPercent)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all([underWay, prover?.stop()])
    },
  }
}
