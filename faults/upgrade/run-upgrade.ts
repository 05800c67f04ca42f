/** Old processes under load, the new migrations one by one, then new processes in place of the old, one after the other. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkStage } from '../check/check-stage.ts'
import { listWrites, measureGaps, type FaultGap } from '../check/measure-gaps.ts'
import { Dice } from '../clients/dice.ts'
import { Mix } from '../clients/mix.ts'
import { settlePairs, settlePayments } from '../clients/settle-doubts.ts'
import type { InjectedFault } from '../nemesis/nemesis.ts'
import { mustRun, runCoffer } from '../run-coffer.ts'
import { onStage, type Stage, type Version } from '../stage/prepare-stage.ts'
import { withAdmin } from '../stage/with-admin.ts'
import { tally, type Tally } from '../tally.ts'
import { bringMigration, switchToNew, type Checkouts } from './make-checkouts.ts'
import type { Findings } from '../check/findings.ts'

export interface UpgradePlan {
  seed: number
  /** Of load before, between and after the steps. */
  seconds: number
  clients: number
}

export interface UpgradeReport {
  plan: UpgradePlan
  checkouts: Checkouts
  database: string
  balancer: string
  steps: FaultGap[]
  /** How often each migration had to be tried, where it was more than once. */
  triedAgain: Record<string, number>
  doubts: number
  tally: Tally
  findings: Findings
}

const PAYERS = 4
const TRIES = 5
/** So that the write gap of one is not that of the next. */
const BETWEEN_MS = 1_500

export function runUpgrade(
  plan: UpgradePlan,
  checkouts: Checkouts,
  say: (line: string) => void,
): Promise<UpgradeReport> {
  const version: Version = {
    root: checkouts.link,
    migrate: (url) => mustRun(['migrate'], { DATABASE_URL: url }, checkouts.old),
    async openAccounts(env) {
      const file = join(checkouts.old, 'faults/stage/open-accounts.ts')
      const past = (await import(file)) as Version
      return past.openAccounts(env)
    },
  }
  const options = { processes: 2, mutations: [], journalFile: undefined, version }
  return onStage(options, async (stage) => {
    const triedAgain: Record<string, number> = {}
    const steps = await underLoad(stage, plan, () => upgrade())
    async function upgrade() {
      const taken: InjectedFault[] = []
      const step = async (kind: string, take: () => Promise<number | undefined>) => {
        const startMs = performance.now()
        const beganMs = await take()
        const endMs = performance.now()
        taken.push({ kind, track: 'ledger', startMs: beganMs ?? startMs, endMs, failovers: 0 })
        say(`  ${kind}, ${((endMs - startMs) / 1000).toFixed(1)} s`)
        await sleep(BETWEEN_MS)
      }
      const wait = () => sleep(plan.seconds * 1000, undefined)
      await step('nothing, for comparison', wait)
      for (const name of checkouts.migrations) {
        bringMigration(checkouts, name)
        await step(`migration ${name}`, () => applyMigration(stage, checkouts, name, triedAgain))
      }
      await step('old processes on the new schema', wait)
      switchToNew(checkouts)
      for (const [index, service] of stage.services.entries()) {
        await step(`process ${index + 1} replaced`, async () => {
          await service.restart(0)
          await service.ready(60_000)
          return undefined
        })
        await step(index === 0 ? 'an old and a new process' : 'new processes', wait)
      }
      return taken
    }
    const doubts = await settlePairs(stage, 60)
    await settlePayments(stage, 60)
    const { check } = await checkStage(stage)
    return {
      plan,
      checkouts,
      database: stage.database.name,
      balancer: stage.balancer.name,
      steps: measureGaps(listWrites(stage.journal), steps),
      triedAgain,
      doubts,
      tally: tally(stage, check),
      findings: check.findings,
    }
  })
}

async function underLoad<Result>(
  stage: Stage,
  { seed, clients }: UpgradePlan,
  work: () => Promise<Result>,
): Promise<Result> {
  const mix = new Mix(stage)
  const callers = [
    ...Array.from({ length: clients }, (_, index) => mix.run(new Dice(seed, `client ${index}`))),
    ...Array.from({ length: PAYERS }, (_, index) => mix.runPayer(new Dice(seed, `payer ${index}`))),
  ]
  const failed = Promise.all(callers)
  const working = work()
  try {
    // A client that throws is a fault of the audit itself.
    return await Promise.race([working, failed.then(() => working)])
  } finally {
    mix.isOver = true
    await failed
  }
}

/** Returns when its transaction began, on the clock of the clients: starting the command itself costs time. */
async function applyMigration(
  { database }: Stage,
  { new: root }: Checkouts,
  file: string,
  triedAgain: Record<string, number>,
): Promise<number | undefined> {
  for (let attempt = 1; ; attempt++) {
    const run = await runCoffer(['migrate'], { DATABASE_URL: database.url }, root)
    if (run.status === 0) break
    // It gave up waiting for a lock, as it should; nothing of it is there.
    if (attempt === TRIES) throw new Error(`coffer migrate, ${file}: ${run.text}`)
    triedAgain[file] = attempt + 1
  }
  // What needs no transaction is noted when it is done.
  if (!file.endsWith('.sql')) return undefined
  const { rows } = await withAdmin(database.url, (admin) =>
    admin.query<{ began: Date }>(
      'select run_on as began from public.migrations order by id desc limit 1',
    ),
  )
  const began = rows[0]?.began
  return began && began.getTime() - performance.timeOrigin
}
