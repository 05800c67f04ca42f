import type pg from 'pg'
import type { Kind } from '../ledger/types.ts'

export interface StatementRow {
  rolled_up_to: Date
  opening: bigint
  closing: bigint
  debit_count: bigint
  debit_amount: bigint
  credit_count: bigint
  credit_amount: bigint
}

/** What the account was before the first day and after the last one (or after all that is added up), and between. */
export function summarizeStatement(account: number, from: string, to: string): pg.QueryConfig {
  const owed = 'debt_change - amount'
  const sum = (value: string, condition: string) =>
    `coalesce(sum(${value}) filter (where ${condition}), 0)::bigint`
  return {
    text: `select (select rolled_up_to from books.progress) as rolled_up_to,
        ${sum(owed, 'day < $2::date')} as opening, ${sum(owed, 'true')} as closing,
        ${sum('count', `day >= $2::date and kind = 'debit'`)} as debit_count,
        ${sum(owed, `day >= $2::date and kind = 'debit'`)} as debit_amount,
        ${sum('count', `day >= $2::date and kind = 'credit'`)} as credit_count,
        ${sum(`-(${owed})`, `day >= $2::date and kind = 'credit'`)} as credit_amount
      from books.days where account = $1 and day <= $3::date`,
    values: [account, from, to],
  }
}

export interface StatementDayRow {
  day: Date
}

/** The days on which something moved. */
export function listStatementDays(account: number, from: string, to: string): pg.QueryConfig {
  return {
    text: `select distinct day::timestamp at time zone 'UTC' as day from books.days
      where account = $1 and day between $2::date and $3::date and count > 0 order by 1`,
    values: [account, from, to],
  }
}

export interface StatementHourRow {
  hour: Date
  /** Of all accounts: what a look into this hour has to read. */
  operations: bigint
}

/** The hours of a day in which something moved. */
export function listStatementHours(account: number, day: Date): pg.QueryConfig {
  return {
    text: `select hour, sum(count)::bigint as operations from books.hours
      where hour >= $2 and hour < $2::timestamptz + interval '1 day'
      group by hour having bool_or(account = $1) order by hour`,
    values: [account, day],
  }
}

export interface EntryRow {
  wallet_id: bigint
  seq: bigint
  created_at: Date
  kind: Kind
  /** What the account changed by. */
  change: bigint
  reference_type: string
  reference_id: string
  description: string | null
}

/** Entries have no number of their own: time, wallet and seq put them in an order that stays. */
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
): pg.QueryConfig {
  return {
    text: `select wallet_id, seq, created_at, kind, coalesce(debt_change, 0) - amount as change, reference_type,
        reference_id, description
      from ledger.operations
      where counter_account = $1 and created_at >= $2 and created_at < $3
        and (created_at, wallet_id, seq) > ($2, $4::bigint, $5::bigint)
      order by created_at, wallet_id, seq limit $6`,
    values: [account, after.at, before, after.walletId, after.seq, limit],
  }
}
