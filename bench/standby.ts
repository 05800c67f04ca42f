/**
 * The cost of a synchronous standby: debits with a standby that every commit waits for and that the service requires,
 * and without one, alternately on one PostgreSQL. The standby is real and shares cores and disk with everything else.
 *
 *   npm run bench:standby              about five minutes, a million wallets
 *   npm run bench:standby -- --quick   a hundred thousand wallets
 */
import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import {
  postgresOwner,
  startTemporaryPostgres,
  type TemporaryPostgres,
} from '../scripts/temporary-postgres.ts'
import { checkBooks } from './check-books.ts'
import { countOperations, settle } from './fill.ts'
import { withSetup, SETTINGS, type Setup } from './prepare.ts'
import { printAligned, printConditions } from './print-results.ts'
import { requireWrk } from './run-generator.ts'
import { runService, startService, type ServiceRun } from './run-service.ts'
import { FULL, QUICK, SCENARIOS } from './scenarios.ts'

const { quick } = parseArgs({ options: { quick: { type: 'boolean', default: false } } }).values
const PLAN = quick ? QUICK : FULL
const ROUNDS = quick ? 1 : 2
const CONNECTIONS = [256, 64]
const NAME = 'second'
const SECONDS = quick ? 4 : 10
const WARM_UP_SECONDS = 3

interface Turn {
  hasStandby: boolean
  scenario: string
  run: ServiceRun
}

async function main() {
  await requireWrk()
  await withSetup(PLAN.wallets, async (setup) => {
    const folder = copyStandby(setup)
    await settle(setup.target.url)
    const before = await countOperations(setup.target.url)
    const { turns, warmUps } = await takeTurns(setup, folder)
    const runs = turns.map(({ run }) => run)
    console.log('Checking the books …')
    const { faults } = await checkBooks(setup.target.url, before, [...warmUps, ...runs])
    print(turns)
    printConditions(runs)
    for (const fault of faults) console.log(`FAULT: ${fault}`)
    if (faults.length > 0) process.exitCode = 1
  })
}

function copyStandby({ postgres, folder }: Setup): string {
  const standby = join(folder, 'standby')
  const owner = postgresOwner()
  mkdirSync(standby)
  if (owner) {
    chownSync(folder, owner.uid, owner.gid)
    chownSync(standby, owner.uid, owner.gid)
  }
  const from = `${postgres.url}?application_name=${NAME}`
  const args = [
    '-D',
    join(standby, 'data'),
    '-d',
    from,
    '--write-recovery-conf',
    '--checkpoint=fast',
  ]
  execFileSync(join(postgres.binFolder, 'pg_basebackup'), args, { ...owner, cwd: standby })
  return standby
}

/** Starts the standby, lets it catch up, and makes every commit wait for it. */
async function attach({ control }: Setup, folder: string): Promise<TemporaryPostgres> {
  const standby = await startTemporaryPostgres({ settings: SETTINGS, folder })
  const seen = `select from pg_stat_replication
    where state = 'streaming' and pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) < 1e6`
  for (let attempt = 0; (await control.query(seen)).rowCount !== 1; attempt++) {
    if (attempt > 1_200) throw new Error('The standby did not catch up within two minutes.')
    await sleep(100)
  }
  await nameStandby(control, NAME)
  return standby
}

async function nameStandby(control: Setup['control'], name: string) {
  await control.query(`alter system set synchronous_standby_names = '${name}'`)
  await control.query('select pg_reload_conf()')
  await sleep(1_000)
}

async function takeTurns(setup: Setup, folder: string) {
  const turns: Turn[] = []
  const warmUps: ServiceRun[] = []
  const scenarios = SCENARIOS.filter(({ name }) => name === 'uniform' || name === 'hot')
  for (let round = 0; round < ROUNDS; round++) {
    for (const hasStandby of [false, true]) {
      const standby = hasStandby ? await attach(setup, folder) : undefined
      const settings = { REQUIRE_SYNC_STANDBY: String(hasStandby) }
      const service = await startService(setup, { settings })
      for (const scenario of scenarios) {
        for (const connections of CONNECTIONS) {
          const seconds = WARM_UP_SECONDS
          warmUps.push(await runService(setup, service, scenario, { connections, seconds }))
          const options = { connections, seconds: SECONDS }
          const run = await runService(setup, service, scenario, options)
          turns.push({ hasStandby, scenario: scenario.name, run })
          const turn = hasStandby ? 'with a standby' : 'without'
          const rate = `${run.rate.toFixed(0)}/s, p99 ${run.p99Ms.toFixed(0)} ms`
          console.log(`  ${scenario.name}, ${connections} connections, ${turn}: ${rate}`)
        }
      }
      await service.stop()
      await nameStandby(setup.control, '')
      await standby?.stop()
    }
  }
  return { turns, warmUps }
}

function print(turns: readonly Turn[]) {
  const kinds = new Set(turns.map(({ scenario, run }) => `${scenario}, ${run.connections}`))
  const rows = [...kinds].map((kind) => {
    const best = (hasStandby: boolean) =>
      turns
        .filter((turn) => `${turn.scenario}, ${turn.run.connections}` === kind)
        .filter((turn) => turn.hasStandby === hasStandby)
        .map(({ run }) => run)
        .reduce((a, b) => (a.rate > b.rate ? a : b))
    const [without, having] = [best(false), best(true)]
    return [
      kind,
      without.rate.toFixed(0),
      having.rate.toFixed(0),
      (having.rate / without.rate).toFixed(2),
      `${without.p50Ms.toFixed(1)} / ${without.p99Ms.toFixed(0)}`,
      `${having.p50Ms.toFixed(1)} / ${having.p99Ms.toFixed(0)}`,
    ]
  })
  const head = [
    'debits, connections',
    'without/s',
    'with/s',
    'ratio',
    'p50/p99 ms',
    'with, p50/p99',
  ]
  console.log('')
  printAligned([head, ...rows])
}

await main()
