/** Starts generators, each in a separate process, and adds up their results. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { GeneratorPlan, GeneratorResult } from './generate.ts'
import type { Target } from './prepare-target.ts'

const script = fileURLToPath(new URL('generate.ts', import.meta.url))
/** Time for all processes to start. */
const START_MS = 2_500

export interface Load {
  seconds: number
  /** Of all generators together; requests do not wait for responses. */
  perSecond?: number
  /** Of all generators together; each connection sends the next request after the response. */
  connections?: number
  generators: number
  /** Delay of the start. */
  delaySeconds?: number
}

export interface Traffic {
  offeredPerSecond: number
  /** The longest delay of the generators. */
  latestMs: number
  goodputPerSecond: number
  /** Of accepted requests, in the order of their due times. */
  latencies: { dueMs: number; tookMs: number }[]
  refused: { dueMs: number; tookMs: number }[]
  responses: Record<string, number>
  withoutRetryAfter: number
}

/** Runs several loads with one clock, and records acknowledged and unknown pairs for the checker. */
export async function runLoads(target: Target, loads: readonly Load[]): Promise<Traffic[]> {
  const startAtMs = Date.now() + START_MS
  return Promise.all(loads.map((load) => runLoad(target, load, startAtMs)))
}

export async function runOne(target: Target, load: Load): Promise<Traffic> {
  const [traffic] = await runLoads(target, [load])
  return traffic as Traffic
}

async function runLoad(target: Target, load: Load, startAtMs: number): Promise<Traffic> {
  const { generators, perSecond, connections = 0, seconds, delaySeconds = 0 } = load
  const plans = Array.from({ length: generators }, (): GeneratorPlan => {
    const tag = `overload-${target.tags++}`
    return {
      url: target.service.url,
      apps: target.apps,
      tag,
      startAtMs: startAtMs + delaySeconds * 1000,
      seconds,
      load:
        perSecond === undefined
          ? { connections: Math.ceil(connections / generators) }
          : { perSecond: perSecond / generators },
    }
  })
  const results = await Promise.all(plans.map(runGenerator))
  for (const [index, { acknowledged, unknown }] of results.entries()) {
    const { tag } = plans[index] as GeneratorPlan
    for (const number of acknowledged) target.acknowledged.add(`${tag}-${number}`)
    for (const number of unknown) target.unknown.add(`${tag}-${number}`)
  }
  return addUp(results, seconds)
}

async function runGenerator(plan: GeneratorPlan): Promise<GeneratorResult> {
  const child = fork(script, { execArgv: [] })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.send(plan)
  try {
    const failed = once(child, 'exit').then(([code]) => {
      throw new Error(`A generator exited with ${code}.`)
    })
    const [result] = await Promise.race([once(child, 'message'), failed])
    return result as GeneratorResult
  } finally {
    process.removeListener('exit', kill)
  }
}

function addUp(results: readonly GeneratorResult[], seconds: number): Traffic {
  const responses: Record<string, number> = {}
  for (const result of results) {
    for (const [response, count] of Object.entries(result.responses)) {
      responses[response] = (responses[response] ?? 0) + count
    }
  }
  const accepted = results.flatMap((each) => each.accepted)
  const inTime = accepted.filter(({ respondedMs }) => respondedMs <= seconds * 1000)
  const sum = (pick: (result: GeneratorResult) => number) =>
    results.reduce((total, each) => total + pick(each), 0)
  return {
    offeredPerSecond: sum((each) => each.sent / each.seconds),
    latestMs: Math.max(...results.map((each) => each.latestMs)),
    goodputPerSecond: inTime.length / seconds,
    latencies: toLatencies(accepted),
    refused: toLatencies(results.flatMap((each) => each.refused)),
    responses,
    withoutRetryAfter: sum((each) => each.withoutRetryAfter),
  }
}

function toLatencies(times: readonly { dueMs: number; respondedMs: number }[]) {
  return times
    .map(({ dueMs, respondedMs }) => ({ dueMs, tookMs: respondedMs - dueMs }))
    .toSorted((a, b) => a.dueMs - b.dueMs)
}
