/**
 * The cost of growth: debits on random wallets with 1, 3 and 10 million operations in the ledger, and one measurement
 * of the bare engine for comparison. Prints a table and draws docs/scale-curve.svg.
 *
 *   npm run bench:curve              about half an hour
 *   npm run bench:curve -- --quick   a tenth of everything, and no picture
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkBooks } from './check-books.ts'
import { drawCurve } from './draw-curve.ts'
import { countOperations, fillUpTo, settle } from './fill.ts'
import { withSetup, type Setup } from './prepare.ts'
import { printAligned, printConditions, printSizes, readSizes } from './print-results.ts'
import { runBare, type BareRun } from './run-bare.ts'
import { requireWrk } from './run-generator.ts'
import { runService, startService, type ServiceRun } from './run-service.ts'
import { FULL, P99_GOAL_MS, QUICK, SCENARIOS, type Scenario } from './scenarios.ts'

const { quick } = parseArgs({ options: { quick: { type: 'boolean', default: false } } }).values
const PLAN = quick ? QUICK : FULL
const MILLIONS = quick ? [0.1, 0.3, 1] : [1, 3, 10]
const ROUNDS = quick ? 1 : 3
const SECONDS = quick ? 4 : 10
const WARM_UP_SECONDS = 5
const PICTURE = new URL('../docs/scale-curve.svg', import.meta.url)

interface Point {
  millions: number
  best: ServiceRun
}

const uniform = SCENARIOS.find(({ name }) => name === 'uniform') as Scenario

async function main() {
  await requireWrk()
  await withSetup(PLAN.wallets, async (setup) => {
    const points: Point[] = []
    for (const millions of MILLIONS) points.push(await measurePoint(setup, millions))
    const bare = await measureBare(setup)
    const first = points[0]?.best.rate ?? 1
    console.log('')
    printPoints(points, first, bare)
    printConditions([...points.map(({ best }) => best), bare])
    const curve = points.map(({ millions, best }) => ({ millions, relative: best.rate / first }))
    printSizes(await readSizes(setup, await countOperations(setup.target.url)), undefined)
    if (quick) return
    writeFileSync(PICTURE, drawCurve(curve))
    console.log('\ndocs/scale-curve.svg written.')
  })
}

/** Fills the ledger up to the mark, measures with a fresh service, and checks that the books match the responses. */
async function measurePoint(setup: Setup, millions: number): Promise<Point> {
  const { url } = setup.target
  await fillUpTo(setup.target, millions * 1_000_000)
  await settle(url)
  const before = await countOperations(url)
  const service = await startService(setup)
  const runs: ServiceRun[] = []
  try {
    const options = { connections: PLAN.connections[0] ?? 64 }
    runs.push(await runService(setup, service, uniform, { ...options, seconds: WARM_UP_SECONDS }))
    for (let round = 0; round < ROUNDS; round++) {
      runs.push(await runService(setup, service, uniform, { ...options, seconds: SECONDS }))
    }
  } finally {
    await service.stop()
  }
  // Every point is counted. Verifying all chains takes minutes per million operations, so only the first point is verified.
  const { faults } = await checkBooks(url, before, runs, { walk: millions === MILLIONS[0] })
  const bad = runs.find((run) => run.bad > 0)
  if (bad) faults.push(`${bad.bad} bad responses: ${bad.firstBad}`)
  if (faults.length > 0) throw new Error(`These figures are not valid: ${faults.join('; ')}`)
  const best = runs.slice(1).reduce((a, b) => (b.rate > a.rate ? b : a))
  console.log(`  ${millions} million operations: ${Math.round(best.rate)} /s`)
  return { millions, best }
}

async function measureBare(setup: Setup): Promise<BareRun> {
  const runs: BareRun[] = []
  for (const clients of PLAN.bareClients) {
    runs.push(await runBare(setup, uniform.baseline ?? '', clients, SECONDS))
  }
  return runs.reduce((a, b) => (b.rate > a.rate ? b : a))
}

function printPoints(points: Point[], first: number, bare: BareRun) {
  const lines = points.map(({ millions, best }) => [
    `${millions} million`,
    String(Math.round(best.rate)),
    (best.rate / first).toFixed(2),
    (best.rate / bare.rate).toFixed(2),
    `${best.p99Ms.toFixed(1)}${best.p99Ms > P99_GOAL_MS ? ' !' : ''}`,
    best.cpu.postgres.toFixed(1),
    best.cpu.node.toFixed(1),
    String(Math.round(best.wal)),
  ])
  const titles = ['operations', 'debits/s', 'to first', 'to bare', 'p99 ms']
  printAligned([[...titles, 'µs PostgreSQL', 'µs Node', 'B WAL'], ...lines])
  console.log(`\nBare engine: ${Math.round(bare.rate)} /s (${bare.clients} clients).`)
}

await main()
