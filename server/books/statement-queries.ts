import type { Statement } from '../database/statement.ts'
import type { Kind } from '../ledger/types.ts'

export interface StatementTotals {
  totalsUpTo: Date
  opening: bigint
  closing: bigint
  debits: { count: bigint; amount: bigint }
  credits: { count: bigint; amount: bigint }
}

interface StatementRow {
  totals_up_to: Date
  opening: bigint
  closing: bigint
  debit_count: bigint
  debit_amount: bigint
  credit_count: bigint
  credit_amount: bigint
}

function readStatement(row: StatementRow): StatementTotals {
  return {
    totalsUpTo: row.totals_up_to,
    opening: row.opening,
    closing: row.closing,
    debits: { count: row.debit_count, amount: row.debit_amount },
    credits: { count: row.credit_count, amount: row.credit_amount },
  }
}

/** SQL. It compares text, because during an upgrade the type may not have the newest kinds yet. */
const DEBITS = `kind::text in ('debit', 'capture')`
/** SQL: the operations that change the ledger account. */
const SETTLED = `kind::text not in ('hold', 'release', 'expiry')`

/**
 * The balances before the first day and after the last one (or where the totals end), and the movements between them.
 * A capture is counted as a debit, a refund as a credit. What only holds or releases money is not counted.
 */
export function summarizeStatement(
  account: number,
  from: string,
  to: string,
): Statement<StatementTotals> {
  const owed = 'ledger.account_change(amount, debt_change, held_change)'
  const sum = (value: string, condition: string) =>
    `coalesce(sum(${value}) filter (where ${condition}), 0)::bigint`
  return {
    text: `select (select totals_up_to from books.progress) as totals_up_to,
        ${sum(owed, 'day < $2::date')} as opening, ${sum(owed, 'true')} as closing,
        ${sum('count', `day >= $2::date and ${DEBITS}`)} as debit_count,
        ${sum(owed, `day >= $2::date and ${DEBITS}`)} as debit_amount,
        ${sum('count', `day >= $2::date and not ${DEBITS} and ${SETTLED}`)} as credit_count,
        ${sum(`-${owed}`, `day >= $2::date and not ${DEBITS}`)} as credit_amount
      from books.days where account = $1 and day <= $3::date`,
    values: [account, from, to],
    read: readStatement,
  }
}

/** The days with operations. */
export function listStatementDays(account: number, from: string, to: string): Statement<Date> {
  return {
    text: `select distinct day::timestamp at time zone 'UTC' as day from books.days
      where account = $1 and day between $2::date and $3::date and count > 0 order by 1`,
    values: [account, from, to],
    read: (row: { day: Date }) => row.day,
  }
}

export interface StatementHour {
  hour: Date
  /** The number of operations of all ledger accounts in this hour, which is how many rows a query reads. */
  operations: bigint
}

/** The hours of a day with operations of the ledger account. */
export function listStatementHours(account: number, day: Date): Statement<StatementHour> {
  return {
    text: `select hour, sum(count)::bigint as operations from books.hours
      where hour >= $2 and hour < $2::timestamptz + interval '1 day'
      group by hour having bool_or(account = $1) order by hour`,
    values: [account, day],
    read: (row: StatementHour) => row,
  }
}

export interface StatementEntry {
  walletId: bigint
  seq: bigint
  createdAt: Date
  kind: Kind
  /** The signed change of the ledger account's balance. */
  change: bigint
  referenceType: string
  referenceId: string
  description: string | null
}

interface EntryRow {
  wallet_id: bigint
  seq: bigint
  created_at: Date
  kind: Kind
  change: bigint
  reference_type: string
  reference_id: string
  description: string | null
}

/** Entries have no number of their own: time, wallet and seq define a stable order. */
export interface EntryKey {
  at: Date
  walletId: bigint
  seq: bigint
}

export function listEntries(
  account: number,
  after: EntryKey,
  before: Date,
  limit: number,
): Statement<StatementEntry> {
  return {
    text: `select wallet_id, seq, created_at, kind, ledger.account_change(amount, debt_change, held_change) as change,
        reference_type, reference_id, description
      from ledger.operations
      where counter_account = $1 and created_at >= $2 and created_at < $3 and ${SETTLED}
        and (created_at, wallet_id, seq) > ($2, $4::bigint, $5::bigint)
      order by created_at, wallet_id, seq limit $6`,
    values: [account, after.at, before, after.walletId, after.seq, limit],
    read: (row: EntryRow) => ({
      walletId: row.wallet_id,
      seq: row.seq,
      createdAt: row.created_at,
      kind: row.kind,
      change: row.change,
      referenceType: row.reference_type,
      referenceId: row.reference_id,
      description: row.description,
    }),
  }
}
