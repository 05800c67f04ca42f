/** Sends ten times the capacity for minutes: the service must process as much as it can, quickly, and refuse the rest. */
import { readFileSync } from 'node:fs'
import { percentile } from '../../server/test/client.ts'
import {
  megabytes,
  milliseconds,
  required,
  showCounts,
  reported,
  type Figure,
  type Section,
} from './figures.ts'
import type { Target } from './prepare-target.ts'
import { runLoads, runOne, type Traffic } from './run-generators.ts'
import { watchMemory } from './watch-memory.ts'

const GENERATORS = 2
/** The peak is the best rate of these. */
const CONNECTIONS = [32, 128]
const AFTER_SECONDS = 10
const WINDOW_MS = 500
const RECOVERY_MS = 5_000
/** Shorter delays do not matter, and other processes on the machine cause delays of this size. */
const QUICK_MS = 100
/** After this time the memory should no longer grow. */
const WARM_MS = 60_000

interface Options {
  seconds: number
  factor: number
  print: (line: string) => void
}

interface Measured {
  /** Accepted per second without overload. */
  peak: number
  normal: Traffic
  during: Traffic
  after: Traffic
  cpuSeconds: number
  /** Megabytes. */
  memory: { before: number; warm: number; end: number; most: number }
}

export async function exceedCapacity(target: Target, options: Options): Promise<Section> {
  const measured = await measure(target, options)
  return {
    title: `${options.factor} times the capacity for ${options.seconds} s`,
    figures: [...judgeResponses(measured, options.factor), ...judgeProcess(measured)],
  }
}

async function measure(target: Target, { seconds, factor, print }: Options): Promise<Measured> {
  const calmSeconds = Math.max(4, Math.min(15, seconds / 4))
  const peak = await findPeak(target, calmSeconds, print)
  const half = peak / 2
  const normal = await runOne(target, { seconds: calmSeconds, perSecond: half, generators: 1 })
  print(`  half of that: p99 ${milliseconds(p99(normal))}`)
  const { pid } = target.service
  const watch = watchMemory(pid)
  const cpuBefore = readCpuSeconds(pid)
  const [during, after] = (await runLoads(target, [
    { seconds, perSecond: peak * factor, generators: GENERATORS },
    { seconds: AFTER_SECONDS, perSecond: half, generators: 1, delaySeconds: seconds },
  ])) as [Traffic, Traffic]
  watch.stop()
  const cpuSeconds = readCpuSeconds(pid) - cpuBefore
  const memory = {
    before: watch.at(0),
    warm: watch.at(Math.min(WARM_MS, (seconds * 1000) / 2)),
    end: watch.at(seconds * 1000),
    most: watch.most(),
  }
  return { peak, normal, during, after, cpuSeconds, memory }
}

function judgeResponses({ peak, normal, during, after }: Measured, factor: number): Figure[] {
  const kept = during.goodputPerSecond / peak
  const offered = during.offeredPerSecond / peak
  const others = Object.keys(during.responses).filter((each) => !/^(200|429|503)/.test(each))
  const recoveredMs = findRecovery(after, p99(normal))
  const perSecond = (rate: number) => `${rate.toFixed(0)}/s`
  return [
    reported('Capacity: accepted at saturation, without overload', perSecond(peak)),
    reported('Latency at half of it, p50 and p99', latencies(normal)),
    required(
      'Offered during the overload',
      `${perSecond(during.offeredPerSecond)}, ${offered.toFixed(1)} ×`,
      `≥ ${factor * 0.95} ×`,
      offered >= factor * 0.95,
    ),
    reported('The generators were late by at most', milliseconds(during.latestMs)),
    required(
      'Accepted during the overload',
      `${perSecond(during.goodputPerSecond)}, ${(kept * 100).toFixed(0)} %`,
      '≥ 80 % of the capacity',
      kept >= 0.8,
    ),
    required(
      'Latency of accepted requests, p50 and p99',
      latencies(during),
      'p99 < 1 s',
      p99(during) < 1000,
    ),
    reported('Latency of refusals, p50 and p99', latencies({ latencies: during.refused })),
    reported('Responses', showCounts(during.responses)),
    required('Responses other than 200, 429, 503', others.join() || 'none', 'none', !others.length),
    required(
      'Refusals without Retry-After',
      String(during.withoutRetryAfter),
      '0',
      during.withoutRetryAfter === 0,
    ),
    required(
      'Normal latency again after',
      milliseconds(recoveredMs),
      '≤ 5 s',
      recoveredMs <= RECOVERY_MS,
    ),
  ]
}

function judgeProcess({ during, after, cpuSeconds, memory }: Measured): Figure[] {
  const { before, warm, end, most } = memory
  return [
    reported('CPU time of the service', showCpu(cpuSeconds, [during, after])),
    required(
      'Resident memory before, warm, at the end, at most',
      [before, warm, end, most].map(megabytes).join(', '),
      'end ≤ 1.2 × warm',
      end <= 1.2 * warm,
    ),
  ]
}

function readCpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function showCpu(seconds: number, traffic: readonly Traffic[]): string {
  const counts = traffic.flatMap(({ responses }) => Object.values(responses))
  const requests = counts.reduce((sum, each) => sum + each, 0)
  return `${((seconds / requests) * 1e6).toFixed(0)} µs per request`
}

async function findPeak(target: Target, seconds: number, print: (line: string) => void) {
  let peak = 0
  for (const connections of CONNECTIONS) {
    const traffic = await runOne(target, { seconds, connections, generators: 1 })
    print(
      `  ${connections} connections: ${traffic.goodputPerSecond.toFixed(0)} accepted per second`,
    )
    peak = Math.max(peak, traffic.goodputPerSecond)
  }
  return peak
}

function p99({ latencies: all }: Pick<Traffic, 'latencies'>): number {
  return percentileOf(all, 0.99)
}

function percentileOf(all: Traffic['latencies'], share: number): number {
  return percentile(
    all.map(({ tookMs }) => tookMs),
    share,
  )
}

function latencies({ latencies: all }: Pick<Traffic, 'latencies'>): string {
  return [0.5, 0.99].map((share) => milliseconds(percentileOf(all, share))).join(', ')
}

/** The end of the last short period in which a request was refused or slower than usual. */
function findRecovery(after: Traffic, normalP99: number): number {
  let recoveredMs = 0
  for (let fromMs = 0; fromMs < AFTER_SECONDS * 1000; fromMs += WINDOW_MS) {
    const isIn = ({ dueMs }: { dueMs: number }) => dueMs >= fromMs && dueMs < fromMs + WINDOW_MS
    const slowest = percentileOf(after.latencies.filter(isIn), 0.95)
    const isNormal = slowest <= Math.max(QUICK_MS, 2 * normalP99) && !after.refused.some(isIn)
    if (!isNormal) recoveredMs = fromMs + WINDOW_MS
  }
  return recoveredMs
}
