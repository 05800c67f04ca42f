/** The figures of a scenario: medians of its pairs. */
import type { Measurement, Pair } from './measure.ts'
import type { BareRun } from './run-bare.ts'
import type { ServiceRun } from './run-service.ts'
import { OPEN_P99_GOAL_MS, P99_GOAL_MS, type Scenario } from './scenarios.ts'
import { median, quartiles, type Interval } from './statistics.ts'

export interface Summary {
  scenario: Scenario
  pairs: number
  bare?: { rate: number; clients: number; at64: number; spread: number | undefined; others: number }
  service: Pick<ServiceRun, 'rate' | 'p50Ms' | 'p99Ms' | 'connections' | 'cpu' | 'others' | 'wal'>
  spread: number | undefined
  ratio?: number
  /** The middle half of the pairs. */
  ratioRange?: Interval
  ratio64?: number
  /** At 80 % and at 50 % of the capacity. */
  openLoop: OpenLoop
  openLoop50: OpenLoop
  /** undefined: there is no goal. */
  goalMet?: boolean
}

interface OpenLoop {
  rate: number
  p50Ms: number
  p99Ms: number
}

export function summarize({ scenario, pairs, openLoop }: Measurement): Summary {
  const runs = pairs.map((pair) => pair.service)
  const openAt = (share: number): OpenLoop => {
    const {
      rate = 0,
      p50Ms = 0,
      p99Ms = 0,
    } = openLoop.find((each) => each.share === share)?.run ?? {}
    return { rate, p50Ms, p99Ms }
  }
  const summary: Summary = {
    scenario,
    pairs: pairs.length,
    service: summarizeService(runs),
    spread: spreadOf(runs),
    openLoop: openAt(0.8),
    openLoop50: openAt(0.5),
  }
  const compared = pairs.flatMap(({ bare, service }) => (bare ? [{ bare, service }] : []))
  if (compared.length === 0) return summary
  const ratios = compared.map(({ bare, service }) => service.rate / bare.best.rate)
  const ratio = median(ratios)
  const ratio64 = median(compared.map(({ bare, service }) => service.rate / bare.at64.rate))
  const { goal = 0, goal64 = 0, operations = 1 } = scenario
  const goalMet =
    ratio >= goal &&
    ratio64 >= goal64 &&
    (operations > 1 || summary.service.p99Ms <= P99_GOAL_MS) &&
    summary.openLoop.p99Ms <= OPEN_P99_GOAL_MS
  const bare = summarizeBare(compared.map((pair) => pair.bare))
  return { ...summary, bare, ratio, ratioRange: quartiles(ratios), ratio64, goalMet }
}

function summarizeService(runs: readonly ServiceRun[]): Summary['service'] {
  const of = (read: (run: ServiceRun) => number) => median(runs.map(read))
  return {
    rate: of((run) => run.rate),
    p50Ms: of((run) => run.p50Ms),
    p99Ms: of((run) => run.p99Ms),
    connections: runs[0]?.connections ?? 0,
    cpu: {
      node: of((run) => run.cpu.node),
      postgres: of((run) => run.cpu.postgres),
      generator: of((run) => run.cpu.generator),
    },
    others: of((run) => run.others),
    wal: of((run) => run.wal),
  }
}

function summarizeBare(runs: readonly NonNullable<Pair['bare']>[]): NonNullable<Summary['bare']> {
  const best = runs.map((each) => each.best)
  return {
    rate: median(best.map((run) => run.rate)),
    clients: best[0]?.clients ?? 0,
    at64: median(runs.map((each) => each.at64.rate)),
    spread: spreadOf(best),
    others: median(best.map((run: BareRun) => run.others)),
  }
}

/** The middle half of the rates, relative to the median; undefined after a single run. */
function spreadOf(runs: readonly { rate: number }[]): number | undefined {
  if (runs.length < 2) return undefined
  const rates = runs.map((each) => each.rate)
  const { low, high } = quartiles(rates)
  return (high - low) / median(rates)
}
