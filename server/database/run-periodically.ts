/**
 * Runs a background job again and again, one round at a time. After a failure it waits before the next round, so that a
 * persistent failure does not fill the log.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Lease } from './leases.ts'

const RETRY_DELAY_MS = 5_000
const DELAY_MIN_MS = 50

export interface PeriodicJob {
  /** Starts no further round, and waits for the current one. */
  stop(): Promise<void>
}

interface Log {
  warn(fields: object, message: string): void
}

interface JobOptions {
  everyMs: number
  /** The subject of the log line about a failure. */
  name: string
  /** Returns how long to wait, if not until the next multiple of `everyMs`. The signal says that the process stops. */
  work: (signal: AbortSignal) => Promise<number | void>
  /** Otherwise the first round begins after `everyMs`. */
  startsNow?: boolean
  /** One process at a time works: the one that has the lease. */
  lease?: Lease
  /** Runs instead of `work` in each round in which another process has the lease. */
  withoutLease?: () => Promise<void> | void
}

export function runPeriodically({ log }: { log: Log }, options: JobOptions): PeriodicJob {
  const { everyMs, name, startsNow, lease } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const wait = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined)

  async function repeat() {
    if (!startsNow) await wait(everyMs)
    while (!signal.aborted) await wait(await tryRound())
    await release()
  }

  async function tryRound(): Promise<number> {
    try {
      return await runRound(options, signal)
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, `${name} failed; it runs again shortly`)
      // Another process may be able to do it.
      await release()
      return Math.max(everyMs, RETRY_DELAY_MS)
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

/** Returns the delay before the next round. */
async function runRound(
  { everyMs, work, lease, withoutLease }: JobOptions,
  signal: AbortSignal,
): Promise<number> {
  const startMs = performance.now()
  if (lease && !(await lease.take())) {
    await withoutLease?.()
    return Math.max(everyMs, RETRY_DELAY_MS)
  }
  const delayMs = await work(signal)
  return delayMs ?? everyMs - ((performance.now() - startMs) % everyMs)
}

/** How long to wait after work that began at `startMs`, in order to work for a share of the time only. */
export function delayFor(percent: number, startMs: number): number {
  const workedMs = performance.now() - startMs
  return Math.max(DELAY_MIN_MS, (workedMs * (100 - percent)) / percent)
}
