/**
 * Measures the bare engine and the service in short slices that follow each other, so that other load on the machine
 * affects both sides of a pair. Afterwards the service gets a fixed rate of requests, because a generator that waits for
 * responses hides how long requests would have waited.
 */
import type { Setup } from './prepare.ts'
import { runBare, type BareRun } from './run-bare.ts'
import { runService, type Service, type ServiceRun } from './run-service.ts'
import { P99_GOAL_MS, type Plan, type Scenario } from './scenarios.ts'
import { median } from './statistics.ts'

export interface Pair {
  /** undefined: the scenario has no baseline. */
  bare: { best: BareRun; at64: BareRun } | undefined
  service: ServiceRun
}

export interface OpenLoopRun {
  /** Of the capacity. */
  share: number
  run: ServiceRun
}

export interface Measurement {
  scenario: Scenario
  /** For the books: runs that chose the number of connections or warmed up. */
  before: ServiceRun[]
  pairs: Pair[]
  openLoop: OpenLoopRun[]
}

export interface MeasureOptions {
  plan: Plan
  onRun: (line: string) => void
}

const CHOOSE_SECONDS = 2
const WARM_UP_MAX = 8
/** Two slices whose CPU time differs by less are alike: the compiler of Node has finished. */
const WARM_UP_DIFFERENCE = 0.03
const OPEN_SHARES = [0.5, 0.8]
/** Enough that one is free at any time, otherwise it would be a closed loop. */
const OPEN_CONNECTIONS = 512
const OPEN_BATCH_CONNECTIONS = 32

export async function measureScenario(
  setup: Setup,
  service: Service,
  scenario: Scenario,
  options: MeasureOptions,
): Promise<Measurement> {
  const { plan } = options
  const bareClients = await chooseClients(setup, scenario, options)
  const { connections, runs: before } = await warmUp(setup, service, scenario, options)
  const pairs: Pair[] = []
  for (let number = 0; number < plan.pairs; number++) {
    const measureService = () =>
      runService(setup, service, scenario, { connections, seconds: plan.sliceSeconds })
    const measureBare = () => measureBareSlices(setup, scenario, bareClients, plan.sliceSeconds)
    // Each side is as often the first as the second.
    const isBareFirst = number % 2 === 0
    const early = isBareFirst ? await measureBare() : undefined
    const run = await measureService()
    const bare = isBareFirst ? early : await measureBare()
    pairs.push({ bare, service: run })
    options.onRun(`${scenario.name}: ${describePair(bare, run)}${describeOthers(run)}`)
  }
  const capacity = median(pairs.map((pair) => pair.service.rate))
  const openLoop = await measureOpenLoop(setup, service, scenario, { ...options, capacity })
  return { scenario, before, pairs, openLoop }
}

/** The number of clients with which the bare engine is fastest. */
async function chooseClients(
  setup: Setup,
  { baseline, fewClients = [] }: Scenario,
  { plan }: MeasureOptions,
): Promise<number> {
  if (baseline === undefined) return 0
  const runs: BareRun[] = []
  for (const clients of [...fewClients.slice(0, plan.quick ? 1 : undefined), ...plan.bareClients]) {
    runs.push(await runBare(setup, baseline, clients, CHOOSE_SECONDS))
  }
  return runs.reduce((a, b) => (b.rate > a.rate ? b : a)).clients
}

/** Until the CPU time per operation does not fall any more; then with the largest number of connections within the goal. */
export async function warmUp(
  setup: Setup,
  service: Service,
  scenario: Scenario,
  { plan }: Pick<MeasureOptions, 'plan'>,
): Promise<{ connections: number; runs: ServiceRun[] }> {
  const choices = scenario.connections === undefined ? plan.connections : [scenario.connections]
  const runs: ServiceRun[] = []
  const measure = async (connections: number) => {
    const seconds = plan.sliceSeconds
    const run = await runService(setup, service, scenario, { connections, seconds })
    runs.push(run)
    return run
  }
  let last = await measure(choices[0] ?? 64)
  for (let turn = 1; turn < WARM_UP_MAX; turn++) {
    const next = await measure(choices[0] ?? 64)
    const isQuiet = next.cpu.node > last.cpu.node * (1 - WARM_UP_DIFFERENCE)
    last = next
    if (isQuiet) break
  }
  for (const connections of choices) {
    if (connections !== last.connections) last = await measure(connections)
    if (last.p99Ms <= P99_GOAL_MS) break
  }
  return { connections: last.connections, runs }
}

async function measureBareSlices(
  setup: Setup,
  { baseline, goal64 }: Scenario,
  clients: number,
  seconds: number,
): Promise<Pair['bare']> {
  if (baseline === undefined) return undefined
  const best = await runBare(setup, baseline, clients, seconds)
  if (goal64 === undefined || clients === 64) return { best, at64: best }
  return { best, at64: await runBare(setup, baseline, 64, seconds) }
}

async function measureOpenLoop(
  setup: Setup,
  service: Service,
  scenario: Scenario,
  { plan, onRun, capacity }: MeasureOptions & { capacity: number },
): Promise<OpenLoopRun[]> {
  const connections = scenario.operations ? OPEN_BATCH_CONNECTIONS : OPEN_CONNECTIONS
  const runs: OpenLoopRun[] = []
  for (const share of OPEN_SHARES) {
    const load = { connections, seconds: plan.openSeconds, offered: capacity * share }
    const run = await runService(setup, service, scenario, load)
    runs.push({ share, run })
    const late =
      run.lateMs > 20 ? `, but requests were up to ${Math.round(run.lateMs)} ms late` : ''
    onRun(
      `${scenario.name}: open loop at ${share * 100} %, ${Math.round(run.rate)} /s: p50 ${run.p50Ms.toFixed(1)} ms, p99 ${run.p99Ms.toFixed(1)} ms${late}${describeOthers(run)}`,
    )
  }
  return runs
}

function describePair(bare: Pair['bare'], { rate, p99Ms, connections }: ServiceRun): string {
  const service = `service ${Math.round(rate)} /s with ${connections} connections, p99 ${p99Ms.toFixed(1)} ms`
  if (bare === undefined) return service
  const { best } = bare
  return `bare ${Math.round(best.rate)} /s with ${best.clients} clients, ${service}, ratio ${(rate / best.rate).toFixed(2)}`
}

/** Above this share, other load has invalidated the run; below it is the kernel, which writes for PostgreSQL. */
export const OTHERS_MAX = 0.1

function describeOthers({ others }: { others: number }): string {
  if (others <= OTHERS_MAX) return ''
  return ` (other processes used ${Math.round(others * 100)} % of the machine)`
}
