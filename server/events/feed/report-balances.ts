/**
 * balance.changed: something that an app did not do itself changed the balance of a linked wallet. The reader of new
 * operations notes the links, and a few seconds later each gets one event with the balance of that moment. Both steps
 * are transactions, so a process that stops loses nothing and repeats nothing.
 */
import type { ReaderJob } from '../../books/read-new-operations.ts'
import type { Context } from '../../context.ts'
import { one, run, type Database } from '../../database/statement.ts'
import { runPeriodically, type PeriodicJob } from '../../database/run-periodically.ts'
import { FIND_BALANCE_START, noteChanges, reportChanges } from './balance-queries.ts'

const TICK_MS = 1_000
const PORTION = 1_000
/** How long after it was read a change is reported, at random. */
const DELAY = { minSeconds: 2, maxSeconds: 10 }

export const NOTE_CHANGED_BALANCES: ReaderJob = {
  findStart: (db) => one(db, FIND_BALANCE_START),
  async handle(tx, period) {
    await run(tx, noteChanges(period, DELAY))
  },
}

export function startBalanceReporter(tools: Pick<Context, 'backgroundDb' | 'log'>): PeriodicJob {
  return runPeriodically(tools, {
    everyMs: TICK_MS,
    name: 'report-balances',
    work: () => reportBalances(tools.backgroundDb),
  })
}

/** Adds the events that are due. */
export async function reportBalances(db: Database): Promise<void> {
  while ((await run(db, reportChanges(PORTION))) === PORTION);
}
