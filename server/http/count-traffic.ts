/** Counts responses for the overview of the admin area. The counts are saved once a minute. */
import type { Logger } from 'pino'
import type pg from 'pg'
import { prune } from '../database/prune.ts'
import { run } from '../database/statement.ts'
import { OLD_TRAFFIC, writeTraffic, type TrafficCount } from './traffic-queries.ts'

const WRITE_MS = 60_000
/** Three steps double the time, so that a percentile is off by at most an eighth; the last step is 16 seconds. */
const STEPS_PER_DOUBLING = 3
const STEP_MAX = 42

export interface TrafficCounter {
  count(route: string, status: number, code: string | null, seconds: number): void
  /** Returns the counts and starts at zero again. */
  take(): TrafficCount[]
  /** Adds counts that could not be saved. */
  putBack(counts: readonly TrafficCount[]): void
}

/** Calls of operators are not counted. */
function isCounted(route: string): boolean {
  return route.startsWith('/api/') && !route.startsWith('/api/admin')
}

function stepOf(seconds: number): number {
  const ms = Math.max(1, seconds * 1000)
  return Math.min(STEP_MAX, Math.ceil(Math.log2(ms) * STEPS_PER_DOUBLING))
}

export function createTrafficCounter(): TrafficCounter {
  const latencies = Array.from({ length: STEP_MAX + 1 }, () => 0)
  const statuses = new Map<string, number>()
  const codes = new Map<string, number>()
  const add = (counts: Map<string, number>, value: string, count: number) =>
    counts.set(value, (counts.get(value) ?? 0) + count)
  const addLatency = (step: number, count: number) => {
    latencies[step] = (latencies[step] ?? 0) + count
  }
  return {
    count(route, status, code, seconds) {
      if (!isCounted(route)) return
      add(statuses, String(status), 1)
      if (code !== null) add(codes, code, 1)
      addLatency(stepOf(seconds), 1)
    },
    take() {
      const list = (kind: TrafficCount['kind'], counts: Iterable<[string, number]>) =>
        [...counts].map(([value, count]) => ({ kind, value, count }))
      const steps = latencies.map((count, step): [string, number] => [String(step), count])
      const taken = [
        ...list('status', statuses),
        ...list('code', codes),
        ...list('latency', steps).filter(({ count }) => count > 0),
      ]
      statuses.clear()
      codes.clear()
      latencies.fill(0)
      return taken
    },
    putBack(counts) {
      for (const { kind, value, count } of counts) {
        if (kind === 'latency') addLatency(Number(value), count)
        else add(kind === 'status' ? statuses : codes, value, count)
      }
    },
  }
}

export interface TrafficWriter {
  write(): Promise<void>
  close(): Promise<void>
}

export function startTrafficWriter(
  db: pg.Pool,
  traffic: TrafficCounter,
  log: Pick<Logger, 'warn'>,
): TrafficWriter {
  async function write() {
    const counts = traffic.take()
    if (counts.length === 0) return
    try {
      await run(db, writeTraffic(counts))
    } catch (error) {
      traffic.putBack(counts)
      throw error
    }
  }
  const tryToWrite = () =>
    write().catch((error: unknown) =>
      log.warn({ err: error }, 'could not save traffic counts; they are saved with the next ones'),
    )
  const timer = setInterval(() => void tryToWrite(), WRITE_MS)
  timer.unref()
  return {
    write,
    async close() {
      clearInterval(timer)
      await tryToWrite()
    },
  }
}

export function pruneTraffic({ db }: { db: pg.Pool }): Promise<number> {
  return prune(db, OLD_TRAFFIC)
}
