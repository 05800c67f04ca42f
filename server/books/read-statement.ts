/**
 * The statement of a ledger account for some UTC days. If the last day is not over, the statement ends where the totals
 * end, so that it is consistent and does not change: newer operations belong to a later statement.
 */
import type pg from 'pg'
import { many, one } from '../database/statement.ts'
import { HOUR_MS } from './update-totals.ts'
import {
  listEntries,
  listStatementDays,
  listStatementHours,
  summarizeStatement,
  type EntryKey,
  type StatementEntry,
  type StatementHour,
} from './statement-queries.ts'

const DAY_MS = 24 * HOUR_MS
const PAGE = 2_000
/** How many operations, of all ledger accounts, one query reads approximately. */
export const SLICE = 50_000

export interface StatementPeriod {
  account: number
  /** UTC days such as 2026-01-31; the last day is included. */
  from: string
  to: string
}

/** In minor units. Positive if the platform owes the amount to the owner of the ledger account. */
export interface StatementSummary {
  opening: bigint
  closing: bigint
  debits: { count: bigint; amount: bigint }
  credits: { count: bigint; amount: bigint }
  /** The statement contains everything before this time. */
  end: Date
}

export async function summarize(
  db: pg.Pool,
  { account, from, to }: StatementPeriod,
): Promise<StatementSummary> {
  const found = await one(db, summarizeStatement(account, from, to))
  if (found === undefined) throw new Error('the totals of a statement have no row')
  const { totalsUpTo, ...totals } = found
  const endMs = Math.min(totalsUpTo.getTime(), Date.parse(to) + DAY_MS)
  return { ...totals, end: new Date(Math.max(endMs, Date.parse(from))) }
}

export interface EntryWithBalance extends StatementEntry {
  /** The balance of the ledger account after this entry. */
  balance: bigint
}

/**
 * Yields the operations, oldest first, some thousands at a time. Throws at the end if they do not lead from the opening
 * to the closing balance: an incorrect statement must not look complete.
 */
export async function* readEntries(
  db: pg.Pool,
  period: StatementPeriod,
  summary: StatementSummary,
): AsyncGenerator<EntryWithBalance[]> {
  let balance = summary.opening
  for await (const rows of entryPages(db, period, summary.end)) {
    yield rows.map((row) => ({ ...row, balance: (balance += row.change) }))
  }
  if (balance !== summary.closing) {
    throw new Error('the operations of a statement do not lead to its closing balance')
  }
}

async function* entryPages(
  db: pg.Pool,
  { account, from, to }: StatementPeriod,
  end: Date,
): AsyncGenerator<StatementEntry[]> {
  for (const day of await many(db, listStatementDays(account, from, to))) {
    for (const hour of await many(db, listStatementHours(account, day))) {
      for (const [start, stop] of sliceHour(hour, end)) {
        yield* pagesBetween(db, account, start, stop)
      }
    }
  }
}

/** Splits an hour into parts that one query reads quickly, even if the hour was busy. */
export function sliceHour({ hour, operations }: StatementHour, end: Date): [Date, Date][] {
  const parts = Math.max(1, Math.ceil(Number(operations) / SLICE))
  const edge = (part: number) =>
    new Date(Math.min(end.getTime(), hour.getTime() + Math.round((part * HOUR_MS) / parts)))
  return Array.from({ length: parts }, (_, part): [Date, Date] => [edge(part), edge(part + 1)])
}

async function* pagesBetween(
  db: pg.Pool,
  account: number,
  start: Date,
  stop: Date,
): AsyncGenerator<StatementEntry[]> {
  let after: EntryKey = { at: start, walletId: 0n, seq: 0n }
  for (;;) {
    const page = await many(db, listEntries(account, after, stop, PAGE))
    if (page.length > 0) yield page
    const last = page.at(-1)
    if (page.length < PAGE || last === undefined) return
    after = { at: last.createdAt, walletId: last.walletId, seq: last.seq }
  }
}
