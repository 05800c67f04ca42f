import type { Attempt } from './attempt-delivery.ts'

const CONCURRENCY = 20

/** Runs attempts when they are due, a limited number at a time. */
export function createQueue(send: (attempt: Attempt) => Promise<void>) {
  const timers = new Set<NodeJS.Timeout>()
  const underway = new Set<Promise<void>>()
  const due: Attempt[] = []
  const waiting = new Set<Attempt>()

  function pump() {
    while (underway.size < CONCURRENCY) {
      const attempt = due.shift()
      if (attempt === undefined) return
      const sending = send(attempt).finally(() => {
        underway.delete(sending)
        pump()
      })
      underway.add(sending)
    }
  }

  return {
    push(attempt: Attempt, delayMs: number) {
      const queued = { ...attempt }
      if (queued.number === 1) waiting.add(queued)
      const timer = setTimeout(() => {
        timers.delete(timer)
        waiting.delete(queued)
        due.push(queued)
        pump()
      }, delayMs).unref()
      timers.add(timer)
    },
    /** Scheduled retries do not count as busy. */
    isBusy: () => waiting.size > 0 || due.length > 0 || underway.size > 0,
    cancel() {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
      waiting.clear()
      due.length = 0
    },
  }
}
