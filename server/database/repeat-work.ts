/** Background work, in rounds: one at a time. After a failure it rests, so that a lasting one does not fill the log. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Lease } from './leases.ts'

const REST_MS = 5_000
const REST_MIN_MS = 50

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
  /** Returns how long to rest, if not until the next multiple of `everyMs`. The signal says that the process stops. */
  work: (signal: AbortSignal) => Promise<number | void>
  /** Otherwise the first round begins after `everyMs`. */
  startsNow?: boolean
  /** One process at a time works: the one that has the lease. */
  lease?: Lease
  /** Runs instead of the work while another process has the lease. */
  elsewhere?: () => Promise<void> | void
}

export function repeatWork({ log }: { log: Log }, rounds: Rounds): RepeatedWork {
  const { everyMs, name, startsNow, lease } = rounds
  const stopping = new AbortController()
  const { signal } = stopping
  const rest = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined)

  async function repeat() {
    if (!startsNow) await rest(everyMs)
    while (!signal.aborted) await rest(await tryRound())
    await release()
  }

  async function tryRound(): Promise<number> {
    try {
      return await runRound(rounds, signal)
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, `${name} failed; it runs again shortly`)
      // Another process may be able to do it.
      await release()
      return Math.max(everyMs, REST_MS)
    }
  }

  async function release() {
    await lease?.release().catch(() => undefined)
  }

  const running = repeat()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** Returns how long to rest. */
async function runRound(
  { everyMs, work, lease, elsewhere }: Rounds,
  signal: AbortSignal,
): Promise<number> {
  const startMs = performance.now()
  if (lease && !(await lease.take())) {
    await elsewhere?.()
    return Math.max(everyMs, REST_MS)
  }
  const restMs = await work(signal)
  return restMs ?? everyMs - ((performance.now() - startMs) % everyMs)
}

/** How long to rest after work since `startMs`, in order to work for a share of the time only. */
export function restFor(percent: number, startMs: number): number {
  const workedMs = performance.now() - startMs
  return Math.max(REST_MIN_MS, (workedMs * (100 - percent)) / percent)
}
