/**
 * Compares the service with the bare engine on the same machine, in short alternating slices, with the statements of
 * bench/baseline. The ledger has 24 months and ten entries of each wallet.
 *
 *   npm run bench                    about half an hour, a million wallets
 *   npm run bench -- --quick         a few minutes, a hundred thousand wallets
 *   … --against COMMIT               compares that version with this one instead
 *   … --balance-events               with --against: this version reads new operations for balance.changed
 *   … --json                         the last line is one JSON object
 *   … --scenario uniform             only that one (uniform, mix, hot, read, wallet, batch, capture, refund)
 *   … --pairs 20                     of slices per scenario
 *   … --fill 20                      20 million operations in the ledger before measuring
 *   … --connections 64,128           of the generator, tried in this order until p99 is within its goal
 *   … --set LEDGER_LANES=4           a variable of the service, as often as needed
 *   … --planted-sleep                a millisecond of work per request: the figures must show it
 */
import { parseArgs } from 'node:util'
import { checkBooks, type BooksReport } from './check-books.ts'
import { compareVersions } from './compare-versions.ts'
import { countOperations, fillHistory, fillUpTo, settle } from './fill.ts'
import { measureScenario, type Measurement } from './measure.ts'
import { withSetup, type Setup } from './prepare.ts'
import {
  printConditions,
  printSizes,
  printTable,
  readSizes,
  toJson,
  type Sizes,
} from './print-results.ts'
import { requireWrk } from './run-generator.ts'
import { PROCESSES, startService, type ServiceRun } from './run-service.ts'
import { FULL, QUICK, SCENARIOS, type Plan, type Scenario } from './scenarios.ts'
import { summarize, type Summary } from './summarize.ts'

interface Flags {
  plan: Plan
  scenarios: Scenario[]
  fillMillions: number
  against: string | undefined
  plantedSleep: boolean
  balanceEvents: boolean
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
      against: { type: 'string' },
      pairs: { type: 'string' },
      'balance-events': { type: 'boolean', default: false },
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
  const pairs = Number(values.pairs ?? plan.pairs)
  if (scenarios.length === 0) {
    throw new Error(`--scenario must be one of ${SCENARIOS.map(({ name }) => name).join(', ')}.`)
  }
  if (!connections.every((each) => Number.isInteger(each) && each >= 1)) {
    throw new Error('--connections must be integers separated by commas.')
  }
  if (!(Number.isInteger(pairs) && pairs >= 1)) throw new Error('--pairs must be a whole number.')
  const settings = Object.fromEntries(values.set.map(splitSetting))
  if (!(fillMillions >= 0)) throw new Error('--fill must be a number of millions of operations.')
  return {
    plan: { ...plan, connections, pairs },
    scenarios,
    fillMillions,
    against: values.against,
    plantedSleep: values['planted-sleep'],
    balanceEvents: values['balance-events'],
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
  if (flags.against !== undefined) {
    await compareVersions(flags.against, { ...flags, print })
    return
  }
  await withSetup(flags.plan.wallets, async (setup) => {
    const { url } = setup.target
    await fillHistory(setup.target, flags.plan.entries)
    await fillUpTo(setup.target, flags.fillMillions * 1_000_000)
    await settle(url)
    const operationsBefore = await countOperations(url)
    const measurements = await measure(setup, flags)
    print('Checking the books …')
    const debits = measurements.flatMap(({ scenario, ...each }) =>
      scenario.writes ? runsOf(each) : [],
    )
    const books = await checkBooks(url, operationsBefore, debits)
    report(flags, measurements, books, await readSizes(setup, books.operations))
  })
}

async function measure(setup: Setup, { plan, scenarios, ...flags }: Flags): Promise<Measurement[]> {
  const service = await startService(setup, flags)
  try {
    print(`Measuring with ${flags.processes} service process(es) …`)
    const onRun = (line: string) => print(`  ${line}`)
    const measurements: Measurement[] = []
    for (const scenario of scenarios) {
      measurements.push(await measureScenario(setup, service, scenario, { plan, onRun }))
    }
    return measurements
  } finally {
    await service.stop()
  }
}

type Runs = Pick<Measurement, 'before' | 'pairs' | 'openLoop'>

function runsOf({ before, pairs, openLoop }: Runs): ServiceRun[] {
  return [...before, ...pairs.map((pair) => pair.service), ...openLoop.map(({ run }) => run)]
}

function report(flags: Flags, measurements: Measurement[], books: BooksReport, sizes: Sizes) {
  const summaries = measurements.map(summarize)
  const faults = [...books.faults, ...findFaults(flags, measurements)]
  print('')
  printTable(summaries)
  printConditions(measurements.flatMap(conditionsOf))
  const firstDebits = measurements.find((each) => each.scenario.writes)
  const wal = (firstDebits ? runsOf(firstDebits) : []).map((run) => run.wal)
  printSizes(sizes, wal[0] === undefined ? undefined : { first: wal[0], least: Math.min(...wal) })
  print(
    `\n${books.operations} operations in the ledger; ${books.unseen} of them were in flight when the generator stopped (at most ${books.unseenMax} can be).`,
  )
  for (const fault of faults) print(`ERROR: ${fault}`)
  if (faults.length === 0) print('The books are correct, and every response has its operation.')
  else process.exitCode = 1
  if (flags.json)
    print(
      JSON.stringify({ ...collect(summaries), processes: flags.processes, books, sizes, faults }),
    )
}

function conditionsOf({ pairs }: Measurement) {
  return pairs.flatMap(({ bare, service }) => (bare ? [bare.best, service] : [service]))
}

function findFaults({ plantedSleep, processes }: Flags, measurements: Measurement[]): string[] {
  return measurements.flatMap(({ scenario, ...runs }) =>
    runsOf(runs).flatMap((run) => {
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
