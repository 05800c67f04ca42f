/** Statements that create the monthly partitions of ledger.operations and empty the default partition. */
import { ADVISORY_LOCKS } from '../../database/advisory-locks.ts'
import assert from 'node:assert/strict'
import type pg from 'pg'
import type { Statement } from '../../database/statement.ts'

export interface Month {
  /** Such as 2027-01. */
  month: string
  hasPartition: boolean
}

/** The current month and the following ones. */
export function listMonths(ahead: number): Statement<Month> {
  return {
    text: `select to_char(m, 'YYYY-MM') as month, exists (
        select from pg_inherits where inhparent = 'ledger.operations'::regclass
          and inhrelid = to_regclass('ledger.operations_' || to_char(m, 'YYYY_MM'))
      ) as has_partition
      from generate_series(0, $1::int) as n,
        lateral (select date_trunc('month', now() at time zone 'UTC') + make_interval(months => n)) as x(m)
      order by n`,
    values: [ahead],
    read: (row: { month: string; has_partition: boolean }) => ({
      month: row.month,
      hasPartition: row.has_partition,
    }),
  }
}

export function preparePartition(month: string): pg.QueryConfig {
  return { text: 'select ledger.prepare_partition($1::date)', values: [`${month}-01`] }
}

export const STRAYS_MAX = 100_000

/** Rows in the default partition; it stops counting at STRAYS_MAX. */
export function countStrays(): Statement<number> {
  return {
    text: 'select count(*) as rows from (select from ledger.operations_default limit $1) x',
    values: [STRAYS_MAX],
    read: (row: { rows: bigint }) => Number(row.rows),
  }
}

export interface Strays {
  /** The earliest month that has rows in the default partition. */
  month: string
  rows: number
}

export const FIND_STRAYS: Statement<Strays> = {
  text: `select to_char(created_at at time zone 'UTC', 'YYYY-MM') as month, count(*)::int as rows
    from ledger.operations_default group by 1 order by 1 limit 1`,
  read: (row: Strays) => row,
}

/**
 * Moves the rows of a month from the default partition to a partition of their own, in one transaction: a crash changes
 * nothing, and every snapshot sees each row exactly once. Only the default partition is locked exclusively.
 */
export function moveStrays(month: string, statementTimeout: string): pg.QueryConfig[] {
  assert.match(month, /^\d{4}-\d{2}$/)
  const table = `ledger.operations_${month.replace('-', '_')}`
  const from = `timestamptz '${month}-01 00:00+00'`
  const before = `(timestamp '${month}-01' + interval '1 month') at time zone 'UTC'`
  return [
    'begin',
    `set local lock_timeout = '200ms'; set local idle_in_transaction_session_timeout = '10s';
      set local statement_timeout = '${statementTimeout}'; set local timezone = 'UTC'`,
    `select pg_advisory_xact_lock(${ADVISORY_LOCKS.operationPartitions})`,
    'lock table ledger.operations in share update exclusive mode',
    'lock table ledger.operations_default in access exclusive mode',
    `create table ${table} (like ledger.operations including defaults including constraints)`,
    `with moved as (
        delete from ledger.operations where created_at >= ${from} and created_at < ${before} returning *
      ) insert into ${table} select * from moved`,
    `do $$ begin execute format('alter table ledger.operations attach partition ${table} for values from (%L) to (%L)',
      ${from}, ${before}); end $$`,
    'commit',
  ].map((text) => ({ text }))
}
