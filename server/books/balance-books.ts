/**
 * The trial balance, in one snapshot: the balances, debts, held amounts and operation counts of all wallets equal the
 * totals of the operations, and so does the running balance of every ledger account with a credit limit.
 */
import type pg from 'pg'
import { inSnapshot } from '../database/in-transaction.ts'
import { many, one } from '../database/statement.ts'
import { accountChange } from '../ledger/types.ts'
import {
  READ_TOTALS_UP_TO,
  READ_ACCOUNT_TOTALS,
  type AccountTotals,
  type Totals,
} from './figure-queries.ts'
import {
  READ_NOW,
  READ_RUNNING_BALANCES,
  readWalletPageTotals,
  type AccountBalance,
  type WalletPageTotals,
  type WalletTotals,
} from './verification-queries.ts'
import { recountHour } from './recount.ts'
import { HOUR_MS, type BookTools } from './update-totals.ts'
import { goOn, computeTotals, type OnStep } from './compute-totals.ts'

/** How many hours it counts again, to find late operations, before it reports that the books are not balanced. */
const LATE_HOURS = 48
/** One page takes a fraction of a second, however many wallets there are. */
const PAGE_WALLETS = 100_000
/**
 * The operations that are not in the totals are those of the last seconds, unless the job that updates them is late.
 */
const FIRST_SLICE_MS = 20_000

export interface Balance {
  at: Date
  operations: bigint
  /** undefined if the books are balanced. */
  fault: string | undefined
}

/**
 * Returns undefined if the result is unknown: after the clock was set back, every operation is late until the clock has
 * caught up.
 */
export async function balanceBooks(tools: BookTools, onStep = goOn): Promise<Balance | undefined> {
  const first = await balanceOnce(tools.backgroundDb, onStep)
  if (first.fault === undefined) return first
  const hour = Math.floor(first.totalsUpTo.getTime() / HOUR_MS) * HOUR_MS
  for (let back = 0; back < LATE_HOURS; back++) {
    const fault = await recountHour(tools, new Date(hour - back * HOUR_MS), onStep)
    if (fault !== undefined) return { ...first, fault }
  }
  const second = await balanceOnce(tools.backgroundDb, onStep)
  const isClockBehind = second.at < second.totalsUpTo
  return second.fault !== undefined && isClockBehind ? undefined : second
}

/** One snapshot, in statements that are short even if there are many wallets or operations. */
async function balanceOnce(db: pg.Pool, onStep: OnStep): Promise<Balance & { totalsUpTo: Date }> {
  return inSnapshot(db, async (tx) => {
    const totalsUpTo = await one(tx, READ_TOTALS_UP_TO)
    const at = await one(tx, READ_NOW)
    if (totalsUpTo === undefined || at === undefined) throw new Error('books.progress has no row')
    const stored = await many(tx, READ_ACCOUNT_TOTALS)
    const period = { from: totalsUpTo, before: undefined }
    const newest = await computeTotals(tx, period, { firstSliceMs: FIRST_SLICE_MS, onStep })
    const balances = await many(tx, READ_RUNNING_BALANCES)
    const wallets = await readWalletTotals(tx, onStep)
    const totals = [...stored, ...newest]
    const operations = sum(totals, ({ count }) => count)
    const fault = compare(wallets, totals) ?? compareRunningBalances(balances, totals)
    return { at, operations, totalsUpTo, fault }
  })
}

async function readWalletTotals(tx: pg.ClientBase, onStep: OnStep): Promise<WalletTotals> {
  const total = { operations: 0n, balance: 0n, debt: 0n, held: 0n }
  for (let after: bigint | null = 0n; after !== null;) {
    await onStep()
    const page: WalletPageTotals | undefined = await one(
      tx,
      readWalletPageTotals(after, PAGE_WALLETS),
    )
    total.operations += page?.operations ?? 0n
    total.balance += page?.balance ?? 0n
    total.debt += page?.debt ?? 0n
    total.held += page?.held ?? 0n
    after = page?.lastId ?? null
  }
  return total
}

function sum<Row extends Totals>(rows: readonly Row[], of: (row: Row) => bigint): bigint {
  return rows.reduce((total, row) => total + of(row), 0n)
}

function compare(wallets: WalletTotals, totals: readonly Totals[]): string | undefined {
  const checks = [
    ['have', wallets.operations, sum(totals, ({ count }) => count), ' operations'],
    ['hold', wallets.balance, sum(totals, ({ amount }) => amount), ''],
    ['owe', wallets.debt, sum(totals, (each) => each.debtChange), ''],
    ['reserve', wallets.held, sum(totals, (each) => each.heldChange), ''],
  ] as const
  const wrong = checks.find(([, inWallets, inBooks]) => inWallets !== inBooks)
  if (wrong === undefined) return undefined
  const [verb, inWallets, inBooks, unit] = wrong
  return `trial balance: the wallets ${verb} ${inWallets}${unit}, the books have ${inBooks}`
}

function compareRunningBalances(
  balances: readonly AccountBalance[],
  totals: readonly AccountTotals[],
): string | undefined {
  const owed = new Map<bigint, bigint>()
  for (const each of totals) {
    owed.set(each.account, (owed.get(each.account) ?? 0n) + accountChange(each))
  }
  const wrong = balances.find(({ id, balance }) => balance !== (owed.get(id) ?? 0n))
  if (wrong === undefined) return undefined
  const { id, balance } = wrong
  return `account ${id}: the balance is ${balance}, its operations add up to ${owed.get(id) ?? 0n}`
}
