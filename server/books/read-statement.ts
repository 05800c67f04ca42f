/**
 * The statement of an account for some days of UTC. It ends where the sums end if the last day is not over, so that
 * it adds up and stays what it is: later operations belong to a later statement.
 */
import type pg from 'pg'
import { HOUR_MS } from './roll-up.ts'
import {
  listEntries,
  listStatementDays,
  listStatementHours,
  summarizeStatement,
  type EntryKey,
  type EntryRow,
  type StatementDayRow,
  type StatementHourRow,
  type StatementRow,
} from './statement-queries.ts'

const DAY_MS = 24 * HOUR_MS
const PAGE = 2_000
/** Operations of all accounts that one query looks at, more or less. */
const SLICE = 50_000

export interface StatementPeriod {
  account: number
  /** Days of UTC, the last one included: 2026-01-31. */
  from: string
  to: string
}

/** In minor units; positive: the platform owes it to the account's owner. */
export interface StatementSummary {
  opening: bigint
  closing: bigint
  debits: { count: bigint; amount: bigint }
  credits: { count: bigint; amount: bigint }
  /** Everything before it is in the statement. */
  end: Date
}

export async function summarize(
  db: pg.Pool,
  { account, from, to }: StatementPeriod,
): Promise<StatementSummary> {
  const [row] = (await db.query<StatementRow>(summarizeStatement(account, from, to))).rows
  if (row === undefined) throw new Error('a sum has no row')
  const endMs = Math.min(row.rolled_up_to.getTime(), Date.parse(to) + DAY_MS)
  return {
    opening: row.opening,
    closing: row.closing,
    debits: { count: row.debit_count, amount: row.debit_amount },
    credits: { count: row.credit_count, amount: row.credit_amount },
    end: new Date(Math.max(endMs, Date.parse(from))),
  }
}

export interface Entry extends EntryRow {
  /** Of the account, after it. */
  balance: bigint
}

/**
 * The operations, oldest first, some thousands at a time. Raises at the end if they do not lead from the opening to
 * the closing balance: a statement that does not add up must not look like one.
 */
export async function* readEntries(
  db: pg.Pool,
  period: StatementPeriod,
  summary: StatementSummary,
): AsyncGenerator<Entry[]> {
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
): AsyncGenerator<EntryRow[]> {
  const days = await db.query<StatementDayRow>(listStatementDays(account, from, to))
  for (const { day } of days.rows) {
    const hours = await db.query<StatementHourRow>(listStatementHours(account, day))
    for (const hour of hours.rows) {
      for (const [start, stop] of sliceHour(hour, end)) {
        yield* pagesBetween(db, account, start, stop)
      }
    }
  }
}

/** Parts of an hour that one query reads in a moment, however busy the hour was. */
function sliceHour({ hour, operations }: StatementHourRow, end: Date): [Date, Date][] {
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
): AsyncGenerator<EntryRow[]> {
  let after: EntryKey = { at: start, walletId: 0n, seq: 0n }
  for (;;) {
    const { rows } = await db.query<EntryRow>(listEntries(account, after, stop, PAGE))
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (rows.length < PAGE || last === undefined) return
    after = { at: last.created_at, walletId: last.wallet_id, seq: last.seq }
  }
}
