/** Brings the faults in the order that the seed gives them, one after the other on each of two tracks. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Dice } from '../clients/dice.ts'
import type { Inject } from './inject.ts'
import type { Stage } from '../stage/prepare-stage.ts'
import { withAdmin } from '../stage/with-admin.ts'

export type Track = 'ledger' | 'processor'

export interface InjectedFault {
  kind: string
  track: Track
  startMs: number
  /** When its cause was gone and all processes were ready again. */
  endMs: number
  /** Why it could not be brought; it does not count then. */
  failure?: string
}

/** Each kind once per round, in another order each time. */
export function* scheduleFaults(
  kinds: readonly string[],
  count: number,
  dice: Dice,
): Generator<string> {
  let left = kinds.length > 0 ? count : 0
  while (left > 0) {
    for (const kind of dice.shuffle(kinds)) if (left-- > 0) yield kind
  }
}

export interface TrackPlan {
  track: Track
  faults: Record<string, Inject>
  count: number
  pauseMs: readonly [number, number]
}

export async function runTrack(
  stage: Stage,
  { track, faults, count, pauseMs }: TrackPlan,
  seed: number,
  options: { isOver: () => boolean; onFault: (fault: InjectedFault) => void },
): Promise<InjectedFault[]> {
  const dice = new Dice(seed, track)
  const injected: InjectedFault[] = []
  for (const kind of scheduleFaults(Object.keys(faults), count, dice)) {
    await sleep(dice.between(...pauseMs))
    if (options.isOver()) break
    if (track === 'ledger') await seeHeads(stage)
    const fault: InjectedFault = { kind, track, startMs: performance.now(), endMs: 0 }
    try {
      await faults[kind]?.(stage, new Dice(seed, `${kind} ${injected.length}`))
    } catch (error) {
      fault.failure = error instanceof Error ? error.message : String(error)
    }
    if (track === 'ledger') await Promise.all(stage.services.map((each) => each.ready(60_000)))
    fault.endMs = performance.now()
    injected.push(fault)
    options.onFault(fault)
  }
  return injected
}

/** Whatever is seen now must be on its chain for ever. */
async function seeHeads({ database, heads }: Stage) {
  await withAdmin(database.url, async (admin) => {
    const { rows } = await admin.query<{ id: bigint; seq: bigint; head_hash: Buffer }>(
      'select id, seq, head_hash from ledger.wallets',
    )
    heads.push(...rows.map(({ id, seq, head_hash: hash }) => ({ walletId: id, seq, hash })))
  })
}
