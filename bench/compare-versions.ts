/**
 * Compares an older version with this one: each has a PostgreSQL of its own with the same data, and they are measured in
 * short alternating slices. CPU time per operation hardly depends on other load; the interval says how certain it is.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { checkOutCommit, linkPages } from '../scripts/copy-checkout.ts'
import { checkBooks } from './check-books.ts'
import { countOperations, createMonths, fillUpTo, settle } from './fill.ts'
import { warmUp } from './measure.ts'
import { withSetup, type Setup } from './prepare.ts'
import { printAligned } from './print-results.ts'
import { runService, startService, type Service, type ServiceRun } from './run-service.ts'
import type { Plan, Scenario } from './scenarios.ts'
import { confidenceOfMedian, median } from './statistics.ts'

interface CompareOptions {
  plan: Plan
  scenarios: Scenario[]
  /** This version, and not the other one, reads every new operation for balance.changed. */
  balanceEvents: boolean
  settings: Record<string, string>
  json: boolean
  print: (line: string) => void
}

interface Side {
  setup: Setup
  service: Service
  operationsBefore: number
  debits: ServiceRun[]
}

interface VersionPair {
  old: ServiceRun
  new: ServiceRun
}

const FIGURES: Record<string, (run: ServiceRun) => number> = {
  'CPU of Node and PostgreSQL': ({ cpu }) => cpu.node + cpu.postgres,
  'CPU of Node': ({ cpu }) => cpu.node,
  'CPU of PostgreSQL': ({ cpu }) => cpu.postgres,
  'WAL bytes': ({ wal }) => wal,
  'operations/s': ({ rate }) => rate,
}

export async function compareVersions(commit: string, options: CompareOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-bench-old-'))
  try {
    checkOutCommit(commit, folder)
    linkPages(folder)
    await withOldVersion(folder, options, (old) =>
      withSetup(options.plan.wallets, (setup) =>
        onSide(setup, { startService, fillUpTo, settle }, options, (mine) =>
          compare(old, mine, commit, options),
        ),
      ),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What a version does itself, because only it knows its schema. */
interface Version {
  startService: typeof startService
  fillUpTo: typeof fillUpTo
  settle: typeof settle
}

/** The old version prepares its own database and starts its own processes. */
async function withOldVersion(
  folder: string,
  options: CompareOptions,
  work: (side: Side) => Promise<void>,
) {
  const load = (name: string) => import(pathToFileURL(join(folder, 'bench', name)).href)
  const old = {
    ...((await load('prepare.ts')) as { withSetup: typeof withSetup }),
    ...((await load('fill.ts')) as Pick<Version, 'fillUpTo' | 'settle'>),
    ...((await load('run-service.ts')) as Pick<Version, 'startService'>),
  }
  await old.withSetup(options.plan.wallets, (setup) => onSide(setup, old, options, work))
}

async function onSide(
  setup: Setup,
  version: Version,
  options: CompareOptions,
  work: (side: Side) => Promise<void>,
) {
  const { url, wallets } = setup.target
  await createMonths(url)
  await version.fillUpTo(setup.target, wallets * options.plan.entries)
  await version.settle(url)
  const operationsBefore = await countOperations(url)
  const service = await version.startService(setup, options)
  try {
    await waitForTotals(setup)
    await work({ setup, service, operationsBefore, debits: [] })
  } finally {
    await service.stop()
  }
}

/** The totals of the new operations are computed in the background; that is not what is compared. */
async function waitForTotals({ control }: Setup) {
  const { rows } = await control.query('select now() as now')
  const { now } = rows[0]
  for (;;) {
    const found = await control.query('select from books.progress where totals_up_to >= $1', [now])
    if (found.rowCount === 1) return
    await sleep(1000)
  }
}

async function compare(old: Side, mine: Side, commit: string, options: CompareOptions) {
  const { plan, print } = options
  const results: Record<string, unknown> = {}
  if (options.balanceEvents) {
    await mine.setup.control.query('update directory.client_apps set balance_events_since = now()')
  }
  for (const scenario of options.scenarios) {
    print(`Comparing ${scenario.name}, ${plan.pairs} pairs …`)
    const pairs = await measurePairs(old, mine, scenario, plan)
    results[scenario.name] = printComparison(pairs, commit)
  }
  for (const side of [old, mine]) {
    await side.service.stop()
    const { url } = side.setup.target
    const { faults } = await checkBooks(url, side.operationsBefore, side.debits, { walk: false })
    for (const fault of faults) print(`ERROR: ${fault}`)
    if (faults.length > 0) process.exitCode = 1
  }
  if (options.json) print(JSON.stringify({ against: commit, ...results }))
}

async function measurePairs(
  old: Side,
  mine: Side,
  scenario: Scenario,
  plan: Plan,
): Promise<VersionPair[]> {
  const measure = async (side: Side, connections: number) => {
    const load = { connections, seconds: plan.sliceSeconds }
    const run = await runService(side.setup, side.service, scenario, load)
    keep(side, scenario, [run])
    return run
  }
  let connections = Infinity
  for (const side of [old, mine]) {
    const warm = await warmUp(side.setup, side.service, scenario, { plan })
    keep(side, scenario, warm.runs)
    connections = Math.min(connections, warm.connections)
  }
  const pairs: VersionPair[] = []
  for (let number = 0; number < plan.pairs; number++) {
    // Each version is as often the first as the second.
    const isOldFirst = number % 2 === 0
    const first = await measure(isOldFirst ? old : mine, connections)
    const second = await measure(isOldFirst ? mine : old, connections)
    pairs.push(isOldFirst ? { old: first, new: second } : { old: second, new: first })
  }
  return pairs
}

function keep({ debits }: Side, { writes }: Scenario, runs: readonly ServiceRun[]) {
  if (writes) debits.push(...runs)
  const bad = runs.find((run) => run.bad > 0)
  if (bad) throw new Error(`${bad.bad} bad responses: ${bad.firstBad}`)
}

function printComparison(pairs: readonly VersionPair[], commit: string) {
  const rows = Object.entries(FIGURES).map(([name, read]) => {
    const ratios = pairs.map((pair) => read(pair.new) / read(pair.old))
    const { low, high } = confidenceOfMedian(ratios)
    const of = (side: keyof VersionPair) => median(pairs.map((pair) => read(pair[side])))
    return { name, old: of('old'), new: of('new'), ratio: median(ratios), low, high }
  })
  printAligned([
    ['per operation', commit.slice(0, 12), 'this version', 'ratio', '95 % confidence'],
    ...rows.map(({ name, ratio, low, high, ...row }) => [
      name,
      row.old.toFixed(1),
      row.new.toFixed(1),
      ratio.toFixed(3),
      `${low.toFixed(3)}–${high.toFixed(3)}`,
    ]),
  ])
  return rows
}
