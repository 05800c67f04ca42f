/** Compares the latency of normal clients before and during a disturbance, and measures the memory that it takes. */
import { percentile } from '../../server/test/client.ts'
import { milliseconds, required, showCounts, reported, type Figure } from './figures.ts'
import type { Target } from './prepare-target.ts'
import { runOne, type Traffic } from './run-generators.ts'
import { watchMemory, type MemoryWatch } from './watch-memory.ts'

export interface Disturbance {
  stop(): unknown
}

/** Well below the capacity. */
const NORMAL_PER_SECOND = 200
const BEFORE_SECONDS = 5
/** Other processes on the same machine take CPU time from the service, whatever it does. */
const P99_MAX_MS = 250

export async function compareLatency(
  target: Target,
  seconds: number,
  disturb: () => Promise<Disturbance>,
): Promise<{ figures: Figure[]; watch: MemoryWatch }> {
  const load = { perSecond: NORMAL_PER_SECOND, generators: 1 }
  const before = await runOne(target, { ...load, seconds: BEFORE_SECONDS })
  const watch = watchMemory(target.service.pid)
  const disturbance = await disturb()
  const during = await runOne(target, { ...load, seconds: Math.min(seconds, 30) })
  await disturbance.stop()
  const [calm, troubled] = [p99(before), p99(during)]
  const most = Math.max(P99_MAX_MS, 3 * calm)
  const refused = during.refused.length
  return {
    watch,
    figures: [
      reported('Normal clients’ p99 before', milliseconds(calm)),
      required(
        'Normal clients’ p99 meanwhile',
        milliseconds(troubled),
        `≤ ${milliseconds(most)}`,
        troubled <= most,
      ),
      required(
        'Normal clients’ responses meanwhile',
        showCounts(during.responses),
        'all 200',
        refused === 0 && during.responses['no response'] === undefined,
      ),
    ],
  }
}

/** Stops the memory watch. */
export function showGrowth(watch: MemoryWatch, mostMegabytes: number): Figure {
  watch.stop()
  const before = watch.at(0)
  const most = watch.most()
  return required(
    'Resident memory before and at most',
    `${before.toFixed(0)} MB, ${most.toFixed(0)} MB`,
    `≤ ${mostMegabytes.toFixed(0)} MB more`,
    most - before <= mostMegabytes,
  )
}

function p99({ latencies }: Traffic): number {
  return percentile(
    latencies.map(({ tookMs }) => tookMs),
    0.99,
  )
}
