/**
 * The trial balance, in one snapshot: what all wallets hold and owe, and how many operations they count, is what the
 * operations add up to; and so is the running balance of every account that has a credit limit.
 */
import type pg from 'pg'
import { READ_ALLOWANCES } from '../ledger/verify-queries.ts'
import {
  READ_ROLLED_UP_TO,
  SUM_TOTALS,
  sumTail,
  type SumRow,
  type TailRow,
  type TotalRow,
} from './figure-queries.ts'
import { inSnapshot } from './in-snapshot.ts'
import { READ_IN_ORDER, SUM_WALLETS, type WalletSumRow } from './proof-queries.ts'
import { recountHour } from './recount.ts'
import { HOUR_MS, type BookTools } from './roll-up.ts'

/** So far back it looks for operations that came late, before it says that the books are not balanced. */
const LATE_HOURS = 48

export interface Balance {
  at: Date
  operations: bigint
  /** undefined: the books are balanced. */
  fault: string | undefined
}

/** undefined: nobody can tell, because the clock was set back and what comes until it has caught up comes late. */
export async function balanceBooks(tools: BookTools): Promise<Balance | undefined> {
  const first = await addUp(tools.db)
  if (first.fault === undefined) return first
  const hour = Math.floor(first.rolledUpTo.getTime() / HOUR_MS) * HOUR_MS
  for (let back = 0; back < LATE_HOURS; back++) {
    const fault = await recountHour(tools, new Date(hour - back * HOUR_MS))
    if (fault !== undefined) return { ...first, fault }
  }
  const second = await addUp(tools.db)
  const isClockBehind = second.at < second.rolledUpTo
  return second.fault !== undefined && isClockBehind ? undefined : second
}

async function addUp(db: pg.Pool): Promise<Balance & { rolledUpTo: Date }> {
  return inSnapshot(db, async (tx) => {
    const [progress] = (await tx.query<{ rolled_up_to: Date }>(READ_ROLLED_UP_TO)).rows
    if (progress === undefined) throw new Error('the sums have no beginning')
    const rolledUpTo = progress.rolled_up_to
    const totals = await tx.query<TotalRow>(SUM_TOTALS)
    const tail = await tx.query<TailRow>(sumTail(rolledUpTo))
    const allowances = await tx.query<{ id: bigint; balance: bigint }>(READ_ALLOWANCES)
    await tx.query(READ_IN_ORDER)
    const [wallets] = (await tx.query<WalletSumRow>(SUM_WALLETS)).rows
    if (wallets === undefined) throw new Error('a sum has no row')
    const sums = [...totals.rows, ...tail.rows]
    const operations = sum(sums, ({ count }) => count)
    const fault = compare(wallets, sums) ?? compareAllowances(allowances.rows, sums)
    return { at: wallets.now, operations, rolledUpTo, fault }
  })
}

function sum<Row extends SumRow>(rows: readonly Row[], of: (row: Row) => bigint): bigint {
  return rows.reduce((total, row) => total + of(row), 0n)
}

function compare(wallets: WalletSumRow, sums: readonly SumRow[]): string | undefined {
  const checks = [
    ['have', wallets.operations, sum(sums, ({ count }) => count), ' operations'],
    ['hold', wallets.balance, sum(sums, ({ amount }) => amount), ''],
    ['owe', wallets.debt, sum(sums, (each) => each.debt_change), ''],
  ] as const
  const wrong = checks.find(([, inWallets, inBooks]) => inWallets !== inBooks)
  if (wrong === undefined) return undefined
  const [verb, inWallets, inBooks, unit] = wrong
  return `trial balance: the wallets ${verb} ${inWallets}${unit}, the books have ${inBooks}`
}

function compareAllowances(
  allowances: readonly { id: bigint; balance: bigint }[],
  sums: readonly (TotalRow | TailRow)[],
): string | undefined {
  const owed = new Map<bigint, bigint>()
  for (const { account, amount, debt_change: debtChange } of sums) {
    owed.set(account, (owed.get(account) ?? 0n) + debtChange - amount)
  }
  const wrong = allowances.find(({ id, balance }) => balance !== (owed.get(id) ?? 0n))
  if (wrong === undefined) return undefined
  const { id, balance } = wrong
  return `account ${id}: the balance is ${balance}, its operations add up to ${owed.get(id) ?? 0n}`
}
