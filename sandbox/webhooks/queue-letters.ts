import type { Letter } from './attempt-delivery.ts'

const SIMULTANEOUS = 20

/** Sends letters when they are due, a bounded number at a time. */
export function createQueue(send: (letter: Letter) => Promise<void>) {
  const timers = new Set<NodeJS.Timeout>()
  const underway = new Set<Promise<void>>()
  const due: Letter[] = []
  const waiting = new Set<Letter>()

  function pump() {
    while (underway.size < SIMULTANEOUS) {
      const letter = due.shift()
      if (letter === undefined) return
      const sending = send(letter).finally(() => {
        underway.delete(sending)
        pump()
      })
      underway.add(sending)
    }
  }

  return {
    push(letter: Letter, delayMs: number) {
      const queued = { ...letter }
      if (queued.attempt === 1) waiting.add(queued)
      const timer = setTimeout(() => {
        timers.delete(timer)
        waiting.delete(queued)
        due.push(queued)
        pump()
      }, delayMs).unref()
      timers.add(timer)
    },
    /** Retries that wait for their pause do not count as busy. */
    isBusy: () => waiting.size > 0 || due.length > 0 || underway.size > 0,
    cancel() {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
      waiting.clear()
      due.length = 0
    },
  }
}
