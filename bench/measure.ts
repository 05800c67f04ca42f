/** Measures the bare engine and the service alternately, so that other load on the machine affects both. */
import type { Setup } from './prepare.ts'
import { runBare, type BareRun } from './run-bare.ts'
import { runService, type Service, type ServiceRun } from './run-service.ts'
import { P99_GOAL_MS, type Plan, type Scenario } from './scenarios.ts'

export interface Measurement {
  scenario: Scenario
  bare: BareRun[]
  service: ServiceRun[]
}

export interface MeasureOptions {
  plan: Plan
  onRun: (line: string) => void
}

export async function measureScenarios(
  setup: Setup,
  service: Service,
  scenarios: readonly Scenario[],
  options: MeasureOptions,
): Promise<Measurement[]> {
  const measurements = scenarios.map((scenario): Measurement => {
    return { scenario, bare: [], service: [] }
  })
  for (let round = 1; round <= options.plan.rounds; round++) {
    for (const measurement of measurements) {
      await measureBare(setup, measurement, options)
      await measureService(setup, service, measurement, options)
    }
  }
  return measurements
}

async function measureBare(
  setup: Setup,
  { scenario, bare }: Measurement,
  { plan, onRun }: MeasureOptions,
) {
  if (scenario.baseline === undefined) return
  const fewer = (scenario.fewClients ?? []).slice(0, plan.quick ? 1 : undefined)
  for (const clients of [...fewer, ...plan.bareClients]) {
    const run = await runBare(setup, scenario.baseline, clients, plan.bareSeconds)
    onRun(
      `${scenario.name}: bare, ${clients} clients: ${Math.round(run.rate)} /s${describeOthers(run)}`,
    )
    bare.push(run)
  }
}

async function measureService(
  setup: Setup,
  service: Service,
  measurement: Measurement,
  { plan, onRun }: MeasureOptions,
) {
  const { scenario } = measurement
  for (const count of plan.connections) {
    const run = await runService(setup, service, scenario, {
      connections: count,
      seconds: plan.serviceSeconds,
    })
    measurement.service.push(run)
    onRun(
      `${scenario.name}: service, ${count} connections: ${Math.round(run.rate)} /s, p99 ${run.p99Ms.toFixed(1)} ms${describeOthers(run)}`,
    )
    if (run.p99Ms <= P99_GOAL_MS) break
  }
}

/** Above this share, other load has invalidated the run; below it is the kernel, which writes for PostgreSQL. */
export const OTHERS_MAX = 0.1

function describeOthers({ others }: { others: number }): string {
  if (others <= OTHERS_MAX) return ''
  return ` (other processes used ${Math.round(others * 100)} % of the machine)`
}

export interface Summary {
  scenario: Scenario
  bare?: { best: BareRun; at64: number; spread: number | undefined }
  service: ServiceRun
  spread: number | undefined
  ratio?: number
  ratio64?: number
  /** undefined: there is no goal. */
  goalMet?: boolean
}

export function summarize({ scenario, bare, service }: Measurement): Summary {
  // A faster run with a p99 above its goal does not count if another run met the goal.
  const prompt = service.filter((each) => each.p99Ms <= P99_GOAL_MS)
  const chosen = best(prompt.length > 0 ? prompt : service)
  const alike = service.filter((each) => each.connections === chosen.connections)
  const summary: Summary = { scenario, service: chosen, spread: spreadOf(alike) }
  if (bare.length === 0) return summary
  const bestBare = best(bare)
  const at64 = best(bare.filter((each) => each.clients === 64)).rate
  const spread = spreadOf(bare.filter((each) => each.clients === bestBare.clients))
  const ratio = chosen.rate / bestBare.rate
  const ratio64 = chosen.rate / at64
  const { goal = 0, goal64 = 0 } = scenario
  const goalMet = ratio >= goal && ratio64 >= goal64 && chosen.p99Ms <= P99_GOAL_MS
  return { ...summary, bare: { best: bestBare, at64, spread }, ratio, ratio64, goalMet }
}

function best<Run extends { rate: number }>(runs: readonly Run[]): Run {
  return runs.reduce((a, b) => (b.rate > a.rate ? b : a))
}

/** How far the slowest run is below the fastest, as a fraction; undefined after a single run. */
function spreadOf(runs: readonly { rate: number }[]): number | undefined {
  if (runs.length < 2) return undefined
  const rates = runs.map((each) => each.rate)
  return 1 - Math.min(...rates) / Math.max(...rates)
}
