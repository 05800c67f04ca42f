/** Injects the faults in an order that depends on the seed, one after the other on each of two tracks. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Dice } from '../clients/dice.ts'
import type { Inject } from './ledger-faults.ts'
import type { Setup } from '../setup/prepare-setup.ts'
import { withAdmin } from '../setup/with-admin.ts'

export type Track = 'ledger' | 'processor'

export interface InjectedFault {
  kind: string
  track: Track
  startMs: number
  /** When its cause was removed and all processes were ready again. */
  endMs: number
  /** Number of promotions of another node during the fault. */
  failovers: number
  /** Why it could not be injected; then it does not count. */
  failure?: string
}

/** Endless: each kind once per round, in a different order each time. */
export function* scheduleFaults(kinds: readonly string[], dice: Dice): Generator<string> {
  while (kinds.length > 0) yield* dice.shuffle(kinds)
}

export interface TrackPlan {
  track: Track
  faults: Record<string, Inject>
  /** Continues until this many faults have been injected and this many failovers have happened. */
  count: number
  failovers: number
  pauseMs: readonly [number, number]
}

export async function runTrack(
  setup: Setup,
  { track, faults, count, failovers, pauseMs }: TrackPlan,
  seed: number,
  options: { isOver: () => boolean; onFault: (fault: InjectedFault) => void },
): Promise<InjectedFault[]> {
  const dice = new Dice(seed, track)
  const injected: InjectedFault[] = []
  const isEnough = () => {
    const done = injected.filter(({ failure }) => failure === undefined)
    return done.length >= count && countFailovers(done) >= failovers
  }
  for (const kind of scheduleFaults(Object.keys(faults), dice)) {
    if (isEnough()) break
    await sleep(dice.between(...pauseMs))
    if (options.isOver()) break
    const startMs = performance.now()
    const inject = () => faults[kind]?.(setup, new Dice(seed, `${kind} ${injected.length}`))
    const fault: InjectedFault = { kind, track, startMs, endMs: 0, failovers: 0 }
    if (track === 'ledger') await withRecovery(setup, fault, inject)
    else await withFailure(fault, inject)
    fault.endMs = performance.now()
    injected.push(fault)
    options.onFault(fault)
  }
  return injected
}

export function countFailovers(faults: readonly InjectedFault[]): number {
  return faults.reduce((sum, fault) => sum + fault.failovers, 0)
}

async function withRecovery(setup: Setup, fault: InjectedFault, inject: () => unknown) {
  const { cluster, services } = setup
  const before = (await cluster?.timeline()) ?? 0
  await withFailure(fault, async () => {
    await recordHeads(setup)
    fault.startMs = performance.now()
    await inject()
  })
  await cluster?.isHealthy()
  await Promise.all(services.map((each) => each.ready(60_000)))
  fault.failovers = ((await cluster?.timeline()) ?? 0) - before
}

async function withFailure(fault: InjectedFault, inject: () => unknown) {
  try {
    await inject()
  } catch (error) {
    fault.failure = error instanceof Error ? error.message : String(error)
  }
}

/** Every chain head that exists now must stay on its chain forever. */
async function recordHeads({ database, heads }: Setup) {
  await withAdmin(database.url, async (admin) => {
    const { rows } = await admin.query<{ id: bigint; seq: bigint; head_hash: Buffer }>(
      'select id, seq, head_hash from ledger.wallets',
    )
    heads.push(...rows.map(({ id, seq, head_hash: hash }) => ({ walletId: id, seq, hash })))
  })
}
