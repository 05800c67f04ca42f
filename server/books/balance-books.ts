/**
 * The trial balance, in one snapshot: the balances, debts and operation counts of all wallets equal the sums of the
 * operations, and so does the running balance of every ledger account with a credit limit.
 */
import type pg from 'pg'
import { inSnapshot } from '../database/in-transaction.ts'
import { many, one, run } from '../database/statement.ts'
import {
  READ_ROLLED_UP_TO,
  SUM_TOTALS,
  sumTail,
  type AccountSum,
  type Sum,
} from './figure-queries.ts'
import {
  ALLOW_SEQUENTIAL_SCANS,
  READ_RUNNING_BALANCES,
  SUM_WALLETS,
  type RunningBalance,
  type WalletSum,
} from './proof-queries.ts'
import { recountHour } from './recount.ts'
import { HOUR_MS, type BookTools } from './roll-up.ts'

/** How far back it looks for late operations before it reports that the books are not balanced. */
const LATE_HOURS = 48

export interface Balance {
  at: Date
  operations: bigint
  /** undefined: the books are balanced. */
  fault: string | undefined
}

/** undefined: unknown, because the clock was set back and every operation is late until it has caught up. */
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
    const rolledUpTo = await one(tx, READ_ROLLED_UP_TO)
    if (rolledUpTo === undefined) throw new Error('books.progress has no row')
    const totals = await many(tx, SUM_TOTALS)
    const tail = await many(tx, sumTail(rolledUpTo))
    const balances = await many(tx, READ_RUNNING_BALANCES)
    await run(tx, ALLOW_SEQUENTIAL_SCANS)
    const wallets = await one(tx, SUM_WALLETS)
    if (wallets === undefined) throw new Error('the sum over all wallets has no row')
    const sums = [...totals, ...tail]
    const operations = sum(sums, ({ count }) => count)
    const fault = compare(wallets, sums) ?? compareRunningBalances(balances, sums)
    return { at: wallets.now, operations, rolledUpTo, fault }
  })
}

function sum<Row extends Sum>(rows: readonly Row[], of: (row: Row) => bigint): bigint {
  return rows.reduce((total, row) => total + of(row), 0n)
}

function compare(wallets: WalletSum, sums: readonly Sum[]): string | undefined {
  const checks = [
    ['have', wallets.operations, sum(sums, ({ count }) => count), ' operations'],
    ['hold', wallets.balance, sum(sums, ({ amount }) => amount), ''],
    ['owe', wallets.debt, sum(sums, (each) => each.debtChange), ''],
  ] as const
  const wrong = checks.find(([, inWallets, inBooks]) => inWallets !== inBooks)
  if (wrong === undefined) return undefined
  const [verb, inWallets, inBooks, unit] = wrong
  return `trial balance: the wallets ${verb} ${inWallets}${unit}, the books have ${inBooks}`
}

function compareRunningBalances(
  balances: readonly RunningBalance[],
  sums: readonly AccountSum[],
): string | undefined {
  const owed = new Map<bigint, bigint>()
  for (const { account, amount, debtChange } of sums) {
    owed.set(account, (owed.get(account) ?? 0n) + debtChange - amount)
  }
  const wrong = balances.find(({ id, balance }) => balance !== (owed.get(id) ?? 0n))
  if (wrong === undefined) return undefined
  const { id, balance } = wrong
  return `account ${id}: the balance is ${balance}, its operations add up to ${owed.get(id) ?? 0n}`
}
