import type pg from 'pg'
import type { Statement } from '../database/statement.ts'
import type { Kind } from '../ledger/types.ts'
import { readTotals, type Totals, type TotalsRow } from './figure-queries.ts'

export interface Progress {
  totalsUpTo: Date
  markAt: Date
  /** Every transaction that could still add an operation from before the mark has ended. */
  isSettled: boolean
  /** The mark comes from another server with different transaction ids, because a dump was restored. */
  isFromOtherServer: boolean
}

interface ProgressRow {
  totals_up_to: Date
  mark_at: Date
  is_settled: boolean
  is_from_other_server: boolean
}

function readProgress(row: ProgressRow): Progress {
  return {
    totalsUpTo: row.totals_up_to,
    markAt: row.mark_at,
    isSettled: row.is_settled,
    isFromOtherServer: row.is_from_other_server,
  }
}

const PROGRESS = `select totals_up_to, mark_at, pg_snapshot_xmin(pg_current_snapshot()) > mark_xid as is_settled,
    pg_snapshot_xmax(pg_current_snapshot()) <= mark_xid as is_from_other_server
  from books.progress`

/** Returns no row if another process is working. */
export const TAKE_PROGRESS: Statement<Progress> = {
  text: `${PROGRESS} for update skip locked`,
  read: readProgress,
}

/** Waits until no other process is working. */
export const LOCK_PROGRESS: Statement<Progress> = {
  text: `${PROGRESS} for update`,
  read: readProgress,
}

/**
 * A busy hour takes long, and a process that hangs must lose its lock. The commit does not wait for the disk, because a
 * crash loses the totals and the progress together, and both are computed again.
 */
export const EXTEND_TIMEOUTS: pg.QueryConfig = {
  text: `set local statement_timeout = '60s'; set local idle_in_transaction_session_timeout = '30s';
    set local synchronous_commit = off`,
}

/**
 * The mark is an earliest time of new operations that was committed before this transaction began, and the id of this
 * transaction. A batch gets its transaction id (by locking wallets) before it reads the clock, so a batch with a higher
 * id sees this earliest time or a later one. The upper end of a snapshot would be wrong: it is above the transactions
 * that have ended, not above those that have started.
 */
export function setProgress(totalsUpTo: Date, markAt?: Date): pg.QueryConfig {
  return {
    text: `update books.progress set totals_up_to = $1
        ${markAt ? ', mark_at = $2, mark_xid = pg_current_xact_id()' : ''}`,
    values: [totalsUpTo, ...(markAt ? [markAt] : [])],
  }
}

const TOTALS = `count(*) as count, sum(amount)::bigint as amount, coalesce(sum(debt_change), 0)::bigint as debt_change,
  coalesce(sum(held_change), 0)::bigint as held_change`

/** Updates rows in the order of their keys, to avoid deadlocks. Returns the number of operations. */
const ADD = `days as (
    insert into books.days as t (day, account, kind, count, amount, debt_change, held_change)
    select (hour at time zone 'UTC')::date, account, kind, sum(count), sum(amount), sum(debt_change), sum(held_change)
    from fresh group by 1, 2, 3 order by 1, 2, 3
    on conflict (day, account, kind) do update set count = t.count + excluded.count,
      amount = t.amount + excluded.amount, debt_change = t.debt_change + excluded.debt_change,
      held_change = t.held_change + excluded.held_change
  ), hours as (
    insert into books.hours as t (hour, account, kind, count, amount, debt_change, held_change)
    select hour, account, kind, count, amount, debt_change, held_change from fresh order by 1, 2, 3
    on conflict (hour, account, kind) do update set count = t.count + excluded.count,
      amount = t.amount + excluded.amount, debt_change = t.debt_change + excluded.debt_change,
      held_change = t.held_change + excluded.held_change
  ), totals as (
    insert into books.totals as t (account, kind, count, amount, debt_change, held_change)
    select account, kind, sum(count), sum(amount), sum(debt_change), sum(held_change) from fresh group by 1, 2 order by 1, 2
    on conflict (account, kind) do update set count = t.count + excluded.count,
      amount = t.amount + excluded.amount, debt_change = t.debt_change + excluded.debt_change,
      held_change = t.held_change + excluded.held_change
  )
  select coalesce(sum(count), 0)::bigint as operations from fresh`

/** Adds the operations of a part of an hour to the totals. */
export function addOperations(hour: Date, from: Date, before: Date): pg.QueryConfig {
  return {
    text: `with fresh as materialized (
        select $1::timestamptz as hour, counter_account as account, kind, ${TOTALS}
        from ledger.operations where created_at >= $2 and created_at < $3 group by 2, 3
      ), ${ADD}`,
    values: [hour, from, before],
  }
}

export interface AccountKindTotals extends Totals {
  account: bigint
  kind: Kind
}

type Row = TotalsRow & { account: bigint; kind: Kind }

/** `before` is undefined for all newer operations. */
export function computeSliceTotals(
  from: Date,
  before: Date | undefined,
): Statement<AccountKindTotals> {
  return {
    text: `select counter_account as account, kind, ${TOTALS} from ledger.operations
      where created_at >= $1 ${before ? 'and created_at < $2' : ''} group by 1, 2`,
    values: before ? [from, before] : [from],
    read: readTotals<Row>,
  }
}

interface HourRow {
  totalsUpTo: Date
  /** undefined if the totals have nothing in this hour. */
  totals: AccountKindTotals | undefined
}

/** The totals of an hour, and how far the totals reach, in one statement, so that they belong together. */
export function readHour(hour: Date): Statement<HourRow> {
  return {
    text: `select totals_up_to, account, kind, count, amount, debt_change, held_change
      from books.progress left join books.hours on hour = $1`,
    values: [hour],
    read: ({ totals_up_to: totalsUpTo, ...row }: { totals_up_to: Date } & Row) => ({
      totalsUpTo,
      totals: row.account === null ? undefined : readTotals(row),
    }),
  }
}

export function addDifferences(hour: Date, rows: readonly AccountKindTotals[]): pg.QueryConfig {
  return {
    text: `with fresh as materialized (
        select $1::timestamptz as hour, account, kind, count, amount, debt_change, held_change
        from unnest($2::bigint[], $3::ledger.kind[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
          as x(account, kind, count, amount, debt_change, held_change)
      ), ${ADD}`,
    values: [
      hour,
      rows.map((each) => each.account),
      rows.map((each) => each.kind),
      rows.map((each) => each.count),
      rows.map((each) => each.amount),
      rows.map((each) => each.debtChange),
      rows.map((each) => each.heldChange),
    ],
  }
}

export const SUMMARIZE: pg.QueryConfig = { text: 'select ledger.summarize_operations()' }
