/** Old processes under load, the new migrations one by one, then the processes are replaced with new ones, one by one. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkSetup } from '../check/check-setup.ts'
import { listWrites, measureGaps, type FaultGap } from '../check/measure-gaps.ts'
import { Dice } from '../clients/dice.ts'
import { Mix } from '../clients/mix.ts'
import { resolvePairs, awaitPayments } from '../clients/resolve-unknowns.ts'
import type { InjectedFault } from '../inject/schedule-faults.ts'
import { mustRun, runCoffer } from '../run-coffer.ts'
import { withSetup, type Setup, type Version } from '../setup/prepare-setup.ts'
import { withAdmin } from '../setup/with-admin.ts'
import { tally, type Tally } from '../tally.ts'
import { fillLedger } from './fill-ledger.ts'
import { addMigration, switchToNew, type Checkouts } from './make-checkouts.ts'
import type { Findings } from '../check/findings.ts'

export interface UpgradePlan {
  seed: number
  /** Seconds of load before, between and after the steps. */
  seconds: number
  clients: number
  /** Millions of operations in the ledger before the upgrade. */
  fillMillions: number
}

export interface UpgradeReport {
  plan: UpgradePlan
  checkouts: Checkouts
  database: string
  balancer: string
  steps: FaultGap[]
  /** Number of tries of each migration that needed more than one. */
  triedAgain: Record<string, number>
  doubts: number
  tally: Tally
  findings: Findings
}

const PAYERS = 4
const TRIES = 5
/** So that the write gaps of two steps are separate. */
const BETWEEN_MS = 1_500

export function runUpgrade(
  plan: UpgradePlan,
  checkouts: Checkouts,
  print: (line: string) => void,
): Promise<UpgradeReport> {
  const version: Version = {
    root: checkouts.link,
    migrate: (url) => mustRun(['migrate'], { DATABASE_URL: url }, checkouts.old),
    async createAccounts(env) {
      const file = join(checkouts.old, 'faults/setup/create-accounts.ts')
      const past = (await import(file)) as Version
      const filled = await fillLedger(checkouts.old, env, plan.fillMillions * 1_000_000)
      return { ...(await past.createAccounts(env)), filledUpTo: BigInt(filled) }
    },
  }
  const options = { processes: 2, journalFile: undefined, version }
  return withSetup(options, async (setup) => {
    const triedAgain: Record<string, number> = {}
    const steps = await underLoad(setup, plan, () => upgrade())
    async function upgrade() {
      const taken: InjectedFault[] = []
      const step = async (kind: string, take: () => Promise<number | undefined>) => {
        const startMs = performance.now()
        const beganMs = await take()
        const endMs = performance.now()
        taken.push({ kind, track: 'ledger', startMs: beganMs ?? startMs, endMs, failovers: 0 })
        print(`  ${kind}, ${((endMs - startMs) / 1000).toFixed(1)} s`)
        await sleep(BETWEEN_MS)
      }
      const wait = () => sleep(plan.seconds * 1000, undefined)
      await step('nothing, for comparison', wait)
      for (const name of checkouts.migrations) {
        addMigration(checkouts, name)
        await step(`migration ${name}`, () => applyMigration(setup, checkouts, name, triedAgain))
      }
      await step('old processes on the new schema', wait)
      switchToNew(checkouts)
      for (const [index, service] of setup.services.entries()) {
        await step(`process ${index + 1} replaced`, async () => {
          await service.restart(0)
          await service.ready(60_000)
          return undefined
        })
        await step(index === 0 ? 'an old and a new process' : 'new processes', wait)
      }
      return taken
    }
    const doubts = await resolvePairs(setup, 60)
    await awaitPayments(setup, 60)
    const { check } = await checkSetup(setup)
    return {
      plan,
      checkouts,
      database: setup.database.name,
      balancer: setup.balancer.name,
      steps: measureGaps(listWrites(setup.journal), steps),
      triedAgain,
      doubts,
      tally: tally(setup, check),
      findings: check.findings,
    }
  })
}

async function underLoad<Result>(
  setup: Setup,
  { seed, clients }: UpgradePlan,
  work: () => Promise<Result>,
): Promise<Result> {
  const mix = new Mix(setup)
  const callers = [
    ...Array.from({ length: clients }, (_, index) => mix.run(new Dice(seed, `client ${index}`))),
    ...Array.from({ length: PAYERS }, (_, index) => mix.runPayer(new Dice(seed, `payer ${index}`))),
  ]
  const failed = Promise.all(callers)
  const working = work()
  try {
    // A client that throws is an error of the audit itself.
    return await Promise.race([working, failed.then(() => working)])
  } finally {
    mix.isOver = true
    await failed
  }
}

/** Returns the start of its transaction by the clock of the clients, because starting the command itself takes time. */
async function applyMigration(
  { database }: Setup,
  { new: root }: Checkouts,
  file: string,
  triedAgain: Record<string, number>,
): Promise<number | undefined> {
  for (let attempt = 1; ; attempt++) {
    const run = await runCoffer(['migrate'], { DATABASE_URL: database.url }, root)
    if (run.status === 0) break
    // It gave up waiting for a lock, as it should, and left no changes.
    if (attempt === TRIES) throw new Error(`coffer migrate, ${file}: ${run.text}`)
    triedAgain[file] = attempt + 1
  }
  // A migration without a transaction is recorded when it is done.
  if (!file.endsWith('.sql')) return undefined
  const { rows } = await withAdmin(database.url, (admin) =>
    admin.query<{ began: Date }>(
      'select run_on as began from public.migrations order by id desc limit 1',
    ),
  )
  const began = rows[0]?.began
  return began && began.getTime() - performance.timeOrigin
}
