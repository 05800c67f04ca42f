/**
 * Compares the service with the bare engine on the same machine, alternately, with the statements of bench/baseline.
 *
 *   npm run bench                    about a quarter of an hour, a million wallets
 *   npm run bench -- --quick         under two minutes, a hundred thousand wallets
 *   … --json                         the last line is one JSON object
 *   … --scenario uniform             only that one (uniform, mix, hot, read, wallet)
 *   … --fill 10                      10 million operations in the ledger before measuring
 *   … --connections 64,128           of the generator, tried in this order until p99 is within its goal
 *   … --set LEDGER_LANES=4           a variable of the service, as often as needed
 *   … --planted-sleep                a millisecond of work per request: the figures must show it
 */
import { parseArgs } from 'node:util'
import { checkBooks, type BooksReport } from './check-books.ts'
import { countOperations, fillUpTo, settle } from './fill.ts'
import { measureScenarios, summarize, type Measurement, type Summary } from './measure.ts'
import { withSetup, type Setup } from './prepare.ts'
import {
  printConditions,
  printSizes,
  printTable,
  readSizes,
  toJson,
  type Sizes,
} from './print-results.ts'
import { PROCESSES, requireWrk, runService, startService, type ServiceRun } from './run-service.ts'
import { FULL, QUICK, SCENARIOS, type Plan, type Scenario } from './scenarios.ts'

const WARM_UP_SECONDS = 3

interface Flags {
  plan: Plan
  scenarios: Scenario[]
  fillMillions: number
  plantedSleep: boolean
  settings: Record<string, string>
  processes: number
  json: boolean
}

function readFlags(): Flags {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      fill: { type: 'string', default: '0' },
      'planted-sleep': { type: 'boolean', default: false },
      scenario: { type: 'string' },
      set: { type: 'string', multiple: true, default: [] },
      connections: { type: 'string' },
    },
  })
  const scenarios = SCENARIOS.filter(({ name }) => name === (values.scenario ?? name))
  const plan = values.quick ? QUICK : FULL
  const connections = values.connections?.split(',').map(Number) ?? plan.connections
  const fillMillions = Number(values.fill)
  if (scenarios.length === 0) {
    throw new Error(`--scenario must be one of ${SCENARIOS.map(({ name }) => name).join(', ')}.`)
  }
  if (!connections.every((each) => Number.isInteger(each) && each >= 1)) {
    throw new Error('--connections must be integers separated by commas.')
  }
  const settings = Object.fromEntries(values.set.map(splitSetting))
  if (!(fillMillions >= 0)) throw new Error('--fill must be a number of millions of operations.')
  return {
    plan: { ...plan, connections },
    scenarios,
    fillMillions,
    plantedSleep: values['planted-sleep'],
    settings,
    processes: Number(settings['PROCESSES'] ?? PROCESSES),
    json: values.json,
  }
}

/** The value may contain further equals signs. */
function splitSetting(text: string): [string, string] {
  const [name = '', ...value] = text.split('=')
  return [name, value.join('=')]
}

function print(line: string) {
  console.log(line)
}

async function main() {
  const flags = readFlags()
  await requireWrk()
  await withSetup(flags.plan.wallets, async (setup) => {
    const { url } = setup.target
    await fillUpTo(setup.target, flags.fillMillions * 1_000_000)
    await settle(url)
    const operationsBefore = await countOperations(url)
    const runs = await measure(setup, flags)
    print('Checking the books …')
    const books = await checkBooks(url, operationsBefore, debitsOf(runs))
    report(flags, runs, books, await readSizes(setup, books.operations))
  })
}

interface Runs {
  warmUps: Measurement[]
  measurements: Measurement[]
}

async function measure(setup: Setup, { plan, scenarios, ...flags }: Flags): Promise<Runs> {
  const service = await startService(setup, flags)
  try {
    print(`Measuring with ${flags.processes} service process(es) …`)
    const warmUps: Measurement[] = []
    for (const scenario of scenarios.slice(0, plan.quick ? 1 : undefined)) {
      const options = { connections: plan.connections[0] ?? 64, seconds: WARM_UP_SECONDS }
      const run = await runService(setup, service, scenario, options)
      warmUps.push({ scenario, bare: [], service: [run] })
    }
    const onRun = (line: string) => print(`  ${line}`)
    const measurements = await measureScenarios(setup, service, scenarios, { plan, onRun })
    return { warmUps, measurements }
  } finally {
    await service.stop()
  }
}

function debitsOf({ warmUps, measurements }: Runs): ServiceRun[] {
  const all = [...warmUps, ...measurements]
  return all.flatMap(({ scenario, service }) => (scenario.writes ? service : []))
}

function report(flags: Flags, runs: Runs, books: BooksReport, sizes: Sizes) {
  const { measurements } = runs
  const summaries = measurements.map(summarize)
  const faults = [...books.faults, ...findFaults(flags, [...runs.warmUps, ...measurements])]
  print('')
  printTable(summaries)
  printConditions(measurements.flatMap(({ bare, service }) => [...bare, ...service]))
  const [first] = debitsOf(runs)
  const wal = (measurements.find((each) => each.scenario.writes)?.service ?? []).map(
    (run) => run.wal,
  )
  printSizes(sizes, first && { first: first.wal, least: Math.min(...wal) })
  print(
    `\n${books.operations} operations in the ledger; ${books.unseen} of them were in flight when wrk stopped (at most ${books.unseenMax} can be).`,
  )
  for (const fault of faults) print(`ERROR: ${fault}`)
  if (faults.length === 0) print('The books are correct, and every response has its operation.')
  else process.exitCode = 1
  if (flags.json)
    print(
      JSON.stringify({ ...collect(summaries), processes: flags.processes, books, sizes, faults }),
    )
}

function findFaults({ plantedSleep, processes }: Flags, measurements: Measurement[]): string[] {
  return measurements.flatMap(({ scenario, service }) =>
    service.flatMap((run) => {
      const faults: string[] = []
      if (run.bad > 0) faults.push(`${scenario.name}: ${run.bad} bad responses: ${run.firstBad}`)
      if (plantedSleep && run.rate > 1000 * processes) {
        faults.push(`${scenario.name}: the planted sleep is not visible in the figures`)
      }
      return faults
    }),
  )
}

function collect(summaries: Summary[]) {
  return Object.fromEntries(summaries.map((summary) => [summary.scenario.name, toJson(summary)]))
}

await main()
