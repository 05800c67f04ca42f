/** One audit: clients record everything while faults are injected; then the ledger is compared with their journal. */
import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkEvents } from './check/check-events.ts'
import { checkMetadata } from './check/check-metadata.ts'
import { checkSetup } from './check/check-setup.ts'
import { Dice } from './clients/dice.ts'
import type { Findings } from './check/findings.ts'
import { LEDGER_FAULTS, type Inject } from './inject/ledger-faults.ts'
import { CLUSTER_FAULTS } from './inject/cluster-faults.ts'
import { PROCESSOR_FAULTS } from './inject/processor-faults.ts'
import { listWrites, measureGaps, type FaultGap } from './check/measure-gaps.ts'
import { Mix } from './clients/mix.ts'
import { EventWatch } from './clients/watch-events.ts'
import { runTrack, type InjectedFault, type TrackPlan } from './inject/schedule-faults.ts'
import { withSetup, type Setup } from './setup/prepare-setup.ts'
import { resolvePairs, awaitPayments } from './clients/resolve-unknowns.ts'
import { tally, type Tally } from './tally.ts'

export interface AuditPlan {
  seed: number
  /** Number of parallel clients; a few more have their own wallet, or pay by card. */
  clients: number
  /** Continues until this many responses were definite and all faults were injected, but at most for secondsMax. */
  operations: number
  secondsMax: number
  ledgerFaults: number
  processorFaults: number
  /** On a cluster, until this many failovers have happened; undefined: on one PostgreSQL. */
  failovers?: number | undefined
  /** How long an outcome may stay unknown after the faults; the contract says a minute. */
  resolveSeconds: number
  /** Only these kinds of faults; undefined: all. */
  kinds?: readonly string[]
  journalFile?: string | undefined
}

export interface AuditReport {
  seed: number
  database: string
  balancer: string
  /** Number of cores, and the load average at the end: a busy machine makes everything slower. */
  machine: { cores: number; load: number }
  tally: Tally
  faults: FaultGap[]
  /** Pairs whose outcome was unknown when the faults were over. */
  doubts: number
  seconds: { prepare: number; load: number; resolve: number; check: number }
  /** The longest time from the payment to the credit in the wallet. */
  slowestCreditSeconds: number
  /** What was planned; time or machine may not have allowed all of it. */
  goal: Pick<AuditPlan, 'operations' | 'ledgerFaults' | 'processorFaults' | 'failovers'>
  findings: Findings
  /** Number of events of all apps. */
  events: number
  /** Errors that the services did not expect, with their number. */
  errors: ReadonlyMap<string, number>
}

/** Faults of a cluster: its own, and those of any database, which hit its leader. */
export const REPLICATED_FAULTS = { ...LEDGER_FAULTS, ...CLUSTER_FAULTS }

const OWN_WALLET_CLIENTS = 12
const PAYERS = 4
const PROCESSES = 2

export async function runAudit(
  plan: AuditPlan,
  print: (line: string) => void,
): Promise<AuditReport> {
  const startedMs = performance.now()
  const { journalFile } = plan
  const database = plan.failovers === undefined ? 'alone' : 'cluster'
  return withSetup(
    { processes: PROCESSES, hasFailpoints: true, database, journalFile },
    async (setup) => {
      const watch = await EventWatch.start(setup)
      const preparedMs = performance.now()
      const faults = await runLoad(setup, plan, print)
      const loadedMs = performance.now()
      const doubts = await resolvePairs(setup, plan.resolveSeconds)
      await awaitPayments(setup, plan.resolveSeconds)
      await watch.finish()
      const resolvedMs = performance.now()
      const { check, slowestCreditSeconds, errors } = await checkSetup(setup)
      const events = await checkEvents(setup, watch, check.findings)
      await checkMetadata(setup, check.findings)
      const checkedMs = performance.now()
      return {
        seed: plan.seed,
        database: setup.database.name,
        balancer: setup.balancer.name,
        machine: { cores: availableParallelism(), load: loadavg()[0] ?? 0 },
        tally: tally(setup, check),
        faults: measureGaps(listWrites(setup.journal), faults),
        doubts,
        seconds: {
          prepare: (preparedMs - startedMs) / 1000,
          load: (loadedMs - preparedMs) / 1000,
          resolve: (resolvedMs - loadedMs) / 1000,
          check: (checkedMs - resolvedMs) / 1000,
        },
        slowestCreditSeconds,
        errors,
        events,
        goal: plan,
        findings: check.findings,
      }
    },
  )
}

async function runLoad(
  setup: Setup,
  plan: AuditPlan,
  print: (line: string) => void,
): Promise<InjectedFault[]> {
  const { seed, clients: count, operations, secondsMax } = plan
  const mix = new Mix(setup)
  const untilMs = performance.now() + secondsMax * 1000
  const isOver = () => performance.now() > untilMs
  const clients = [
    ...Array.from({ length: count }, (_, index) => mix.run(new Dice(seed, `client ${index}`))),
    ...Array.from({ length: OWN_WALLET_CLIENTS }, (_, index) =>
      mix.runWithOwnWallet(new Dice(seed, `loyal ${index}`), 2 * index),
    ),
    ...Array.from({ length: PAYERS }, (_, index) => mix.runPayer(new Dice(seed, `payer ${index}`))),
  ]
  const failed = Promise.all(clients)
  const onFault = ({ kind, startMs, endMs, failure }: InjectedFault) =>
    print(
      `  ${failure ? `FAILED (${failure}): ` : ''}${kind}, ${((endMs - startMs) / 1000).toFixed(1)} s`,
    )
  const tracks = Promise.all(
    planTracks(plan).map((track) => runTrack(setup, track, seed, { isOver, onFault })),
  )
  async function waitForEnough() {
    const faults = await tracks
    while (setup.journal.definiteCount < operations && !isOver()) await sleep(100)
    return faults.flat()
  }
  // A client that throws is an error of the audit itself.
  const faults = await Promise.race([
    waitForEnough(),
    failed.then(() => tracks.then((f) => f.flat())),
  ])
  mix.isOver = true
  await failed
  setup.sandbox.resetFaults()
  setup.sandbox.flushWebhooks()
  return faults
}

function planTracks(plan: AuditPlan): TrackPlan[] {
  const { kinds, ledgerFaults, processorFaults, failovers = 0 } = plan
  const ledger = plan.failovers === undefined ? LEDGER_FAULTS : REPLICATED_FAULTS
  const only = (faults: Record<string, Inject>) =>
    Object.fromEntries(Object.entries(faults).filter(([kind]) => kinds?.includes(kind) ?? true))
  return [
    {
      track: 'ledger',
      faults: only(ledger),
      count: ledgerFaults,
      failovers,
      pauseMs: [800, 2_500],
    },
    {
      track: 'processor',
      faults: only(PROCESSOR_FAULTS),
      count: processorFaults,
      failovers: 0,
      // Failovers take long, and payments should happen during them.
      pauseMs: plan.failovers === undefined ? [500, 1_500] : [4_000, 10_000],
    },
  ]
}
