/**
 * Reads the movements in a period and the current settlement balances, from the totals and the operations that are not
 * in the totals yet, in one snapshot.
 */
import type pg from 'pg'
import { inSnapshot } from '../database/in-transaction.ts'
import { many, one } from '../database/statement.ts'
import { accountChange, type Kind } from '../ledger/types.ts'
import {
  READ_TOTALS_UP_TO,
  readTotalsBetween,
  readSettlement as settlementOf,
  READ_ACCOUNT_TOTALS,
  readDayTotals,
  readHourTotals,
  computeNewestTotals,
  type AccountTotals,
  type SlotTotals,
} from './figure-queries.ts'
import { READ_VERIFICATION, type VerificationState } from './verification-queries.ts'

/** The kinds that move money only between balance and held. */
const INSIDE: ReadonlySet<Kind> = new Set(['hold', 'release', 'expiry'])

/**
 * In minor units, as changes of the ledger account: a debit is positive, a credit and a top-up are negative. A hold,
 * and its release or expiry, change the held amount instead.
 */
export interface Movement {
  count: bigint
  change: bigint
}

export interface Figures {
  /** The key is the start of the hour or day, in milliseconds. */
  slots: Map<number, Map<Kind, Movement>>
  accounts: Map<bigint, Map<Kind, Movement>>
  /** The amount that the platform owes to the owner of each account now. */
  settlements: Map<bigint, bigint>
  /** What all wallets have, including what is reserved by holds. */
  walletsTotal: bigint
  debt: bigint
  verification: VerificationState
  /** The totals contain every operation before this time. */
  totalsUpTo: Date
}

const STEP_MS = { hour: 60 * 60 * 1000, day: 24 * 60 * 60 * 1000 }

export function readFigures(pool: pg.Pool, from: Date, step: 'hour' | 'day'): Promise<Figures> {
  return inSnapshot(pool, async (tx) => {
    const totalsUpTo = await one(tx, READ_TOTALS_UP_TO)
    if (totalsUpTo === undefined) throw new Error('books.progress has no row')
    const slots = await many(tx, step === 'hour' ? readHourTotals(from) : readDayTotals(from))
    const newest = await many(tx, computeNewestTotals(totalsUpTo))
    const totals = await many(tx, READ_ACCOUNT_TOTALS)
    const verification = await one(tx, READ_VERIFICATION)
    if (verification === undefined) throw new Error('books.verification has no row')
    const figures = readBalances([...totals, ...newest], verification, totalsUpTo)
    for (const row of slots) addMovement(figures, row)
    for (const row of newest.filter(({ at }) => at >= from)) {
      const at = new Date(Math.floor(row.at.getTime() / STEP_MS[step]) * STEP_MS[step])
      addMovement(figures, { ...row, at, account: null })
      addMovement(figures, { ...row, at: null })
    }
    return figures
  })
}

function readBalances(
  rows: readonly AccountTotals[],
  verification: VerificationState,
  totalsUpTo: Date,
): Figures {
  const settlements = new Map<bigint, bigint>()
  let [walletsTotal, debt] = [0n, 0n]
  for (const row of rows) {
    settlements.set(row.account, (settlements.get(row.account) ?? 0n) + accountChange(row))
    walletsTotal += row.amount + row.heldChange
    debt += row.debtChange
  }
  return {
    slots: new Map(),
    accounts: new Map(),
    settlements,
    walletsTotal,
    debt,
    verification,
    totalsUpTo,
  }
}

function addMovement({ slots, accounts }: Figures, row: SlotTotals) {
  const kinds =
    row.at === null ? entryOf(accounts, row.account as bigint) : entryOf(slots, row.at.getTime())
  const before = kinds.get(row.kind) ?? { count: 0n, change: 0n }
  kinds.set(row.kind, {
    count: before.count + row.count,
    change: before.change + (INSIDE.has(row.kind) ? row.heldChange : accountChange(row)),
  })
}

function entryOf<Key>(map: Map<Key, Map<Kind, Movement>>, key: Key): Map<Kind, Movement> {
  const known = map.get(key) ?? new Map<Kind, Movement>()
  map.set(key, known)
  return known
}

/** The amount that the platform owes to the account's owner now; negative if the owner owes it. */
export async function readSettlement(pool: pg.Pool, account: number): Promise<bigint> {
  return (await one(pool, settlementOf(account))) ?? 0n
}

/**
 * What each kind of operation moved between two whole hours, in minor units without a sign. Both hours must be in the
 * totals; if the step is a day, the first one begins a UTC day.
 */
export async function readMovements(
  pool: pg.Pool,
  from: Date,
  before: Date,
  step: 'hour' | 'day',
): Promise<Map<Kind, bigint>> {
  const totals = await many(pool, readTotalsBetween(from, before, step))
  return new Map(
    totals.map((each) => {
      const change = accountChange(each)
      return [each.kind, change < 0n ? -change : change]
    }),
  )
}
