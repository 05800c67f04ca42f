/**
 * Numbers the events of all client apps. Every process does it, one at a time. If a process stops in the middle, its
 * transaction is rolled back, and the rows are still in the outbox.
 */
import type { Context } from '../context.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { one, run } from '../database/statement.ts'
import { LOCK_OUTBOX, moveEvents, READ_DELAY } from './queries.ts'

const TICK_MS = 250
/** After a failure, so that a lasting one does not fill the log. */
const REST_MS = 5_000
const PORTION = 1_000

type Tools = Pick<Context, 'db' | 'log' | 'metrics'>

export interface Projector {
  stop(): Promise<void>
}

export function startProjector(tools: Tools): Projector {
  let running: Promise<void> | undefined
  let restsUntilMs = 0
  const timer = setInterval(() => {
    if (performance.now() < restsUntilMs) return
    running ??= projectEvents(tools)
      .catch((error: unknown) => {
        restsUntilMs = performance.now() + REST_MS
        tools.log.warn({ err: error }, 'numbering events failed; it runs again shortly')
      })
      .finally(() => (running = undefined))
  }, TICK_MS)
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}

export async function projectEvents({ db, metrics }: Pick<Tools, 'db' | 'metrics'>): Promise<void> {
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
