/**
 * Shows in the metrics whether writes are paused. It is read regularly and not when the metrics are collected, because
 * they must be available when the database is not.
 */
import type { Context } from './context.ts'

const TICK_MS = 10_000

export function watchPause({ ledger, metrics }: Pick<Context, 'ledger' | 'metrics'>) {
  let running: Promise<void> | undefined
  function read() {
    running ??= ledger
      .readPause()
      .then((pause) => metrics.setWritesPaused(pause !== null))
      // The database does not respond; other metrics show that.
      .catch(() => undefined)
      .finally(() => (running = undefined))
  }
  read()
  const timer = setInterval(read, TICK_MS)
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
