/**
 * Books holds whose time is over. The ledger does it before the next request on a wallet; this job does it for wallets
 * that nobody uses. Several processes may do it at once: a hold expires once.
 */
import type { Context } from '../context.ts'
import { runPeriodically, type PeriodicJob } from '../database/run-periodically.ts'
import { WritesPaused } from '../service-error.ts'

const TICK_MS = 5_000
/** How many holds are booked at once, and how often in one round. */
const HOLDS = 50
const PORTIONS = 20

type Tools = Pick<Context, 'ledger' | 'log'>

export function startHoldExpiry(tools: Tools): PeriodicJob {
  return runPeriodically(tools, {
    everyMs: TICK_MS,
    name: 'expire-holds',
    work: () => expireHolds(tools),
  })
}

/** One round. What fails is done in the next one. */
export async function expireHolds({ ledger }: Pick<Tools, 'ledger'>): Promise<void> {
  try {
    for (let portion = 0; portion < PORTIONS; portion++) {
      if ((await ledger.holds.expire(HOLDS)) === 0) return
    }
  } catch (error) {
    if (!(error instanceof WritesPaused)) throw error
  }
}
