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
}

export function repeatWork({ log }: { log: Log }, { everyMs, name, work }: Rounds): RepeatedWork {
  let running: Promise<void> | undefined
  let restsUntilMs = 0
  const timer = setInterval(() => {
    if (performance.now() < restsUntilMs) return
    running ??= work()
      .catch((error: unknown) => {
        restsUntilMs = performance.now() + REST_MS
        log.warn({ err: error }, `${name} failed; it runs again shortly`)
      })
      .finally(() => (running = undefined))
  }, everyMs)
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
