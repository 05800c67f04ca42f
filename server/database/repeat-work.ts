/** Background work on the database, in rounds: one at a time. After a failure it rests, so that a lasting one does not fill the log. */

const REST_MS = 5_000

export interface RepeatedWork {
  /** Starts no further round, and waits for the current one. */
  stop(): Promise<void>
}

interface Log {
  warn(fields: object, message: string): void
}

interface Rounds {
  everyMs: number
  /** The subject of the log line about a failure. */
  name: string
  work: () => Promise<void>
  /** Otherwise the first round begins after `everyMs`. */
  startsNow?: boolean
}

export function repeatWork(
  { log }: { log: Log },
  { everyMs, name, work, startsNow }: Rounds,
): RepeatedWork {
  let running: Promise<void> | undefined
  let restsUntilMs = 0
  function startRound() {
    if (performance.now() < restsUntilMs) return
    running ??= work()
      .catch((error: unknown) => {
        restsUntilMs = performance.now() + REST_MS
        log.warn({ err: error }, `${name} failed; it runs again shortly`)
      })
      .finally(() => (running = undefined))
  }
  if (startsNow) startRound()
  const timer = setInterval(startRound, everyMs)
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
