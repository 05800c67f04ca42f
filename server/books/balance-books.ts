/**
 * The trial balance, in one snapshot: the balances, debts, held amounts and operation counts of all wallets equal the sums of the
 * operations, and so does the running balance of every ledger account with a credit limit.
 */
import type pg from 'pg'
import { inSnapshot } from '../database/in-transaction.ts'
import { many, one } from '../database/statement.ts'
import { accountChange } from '../ledger/types.ts'
import { READ_ROLLED_UP_TO, SUM_TOTALS, type AccountSum, type Sum } from './figure-queries.ts'
import {
  READ_NOW,
  READ_RUNNING_BALANCES,
  sumWalletPage,
  type RunningBalance,
  type WalletPageSum,
  type WalletSum,
} from './verification-queries.ts'
import { recountHour } from './recount.ts'
import { HOUR_MS, type BookTools } from './roll-up.ts'
import { goOn, sumOperations, type OnStep } from './sum-operations.ts'

/** How many hours it counts again, to find late operations, before it reports that the books are not balanced. */
const LATE_HOURS = 48
/** One page takes a fraction of a second, however many wallets there are. */
const PAGE_WALLETS = 100_000
/** The operations that are not in the totals are those of the last seconds, unless adding up is delayed. */
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
  const first = await addUp(tools.backgroundDb, onStep)
  if (first.fault === undefined) return first
  const hour = Math.floor(first.rolledUpTo.getTime() / HOUR_MS) * HOUR_MS
  for (let back = 0; back < LATE_HOURS; back++) {
    const fault = await recountHour(tools, new Date(hour - back * HOUR_MS), onStep)
    if (fault !== undefined) return { ...first, fault }
  }
  const second = await addUp(tools.backgroundDb, onStep)
  const isClockBehind = second.at < second.rolledUpTo
  return second.fault !== undefined && isClockBehind ? undefined : second
}

/** One snapshot, in statements that are short even if there are many wallets or operations. */
async function addUp(db: pg.Pool, onStep: OnStep): Promise<Balance & { rolledUpTo: Date }> {
  return inSnapshot(db, async (tx) => {
    const rolledUpTo = await one(tx, READ_ROLLED_UP_TO)
    const at = await one(tx, READ_NOW)
    if (rolledUpTo === undefined || at === undefined) throw new Error('books.progress has no row')
    const totals = await many(tx, SUM_TOTALS)
    const period = { from: rolledUpTo, before: undefined }
    const tail = await sumOperations(tx, period, { firstSliceMs: FIRST_SLICE_MS, onStep })
    const balances = await many(tx, READ_RUNNING_BALANCES)
    const wallets = await sumWallets(tx, onStep)
    const sums = [...totals, ...tail]
    const operations = sum(sums, ({ count }) => count)
    const fault = compare(wallets, sums) ?? compareRunningBalances(balances, sums)
    return { at, operations, rolledUpTo, fault }
  })
}

async function sumWallets(tx: pg.ClientBase, onStep: OnStep): Promise<WalletSum> {
  const total = { operations: 0n, balance: 0n, debt: 0n, held: 0n }
  for (let after: bigint | null = 0n; after !== null;) {
    await onStep()
    const page: WalletPageSum | undefined = await one(tx, sumWalletPage(after, PAGE_WALLETS))
    total.operations += page?.operations ?? 0n
    total.balance += page?.balance ?? 0n
    total.debt += page?.debt ?? 0n
    total.held += page?.held ?? 0n
    after = page?.lastId ?? null
  }
  return total
}

function sum<Row extends Sum>(rows: readonly Row[], of: (row: Row) => bigint): bigint {
  return rows.reduce((total, row) => total + of(row), 0n)
}

function compare(wallets: WalletSum, sums: readonly Sum[]): string | undefined {
  const checks = [
    ['have', wallets.operations, sum(sums, ({ count }) => count), ' operations'],
    ['hold', wallets.balance, sum(sums, ({ amount }) => amount), ''],
    ['owe', wallets.debt, sum(sums, (each) => each.debtChange), ''],
    ['reserve', wallets.held, sum(sums, (each) => each.heldChange), ''],
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
  for (const each of sums) {
    owed.set(each.account, (owed.get(each.account) ?? 0n) + accountChange(each))
  }
  const wrong = balances.find(({ id, balance }) => balance !== (owed.get(id) ?? 0n))
  if (wrong === undefined) return undefined
  const { id, balance } = wrong
  return `account ${id}: the balance is ${balance}, its operations add up to ${owed.get(id) ?? 0n}`
}
