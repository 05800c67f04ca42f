import type pg from 'pg'
import type { Statement } from '../database/statement.ts'
import type { Kind } from '../ledger/types.ts'

export interface Progress {
  rolledUpTo: Date
  markAt: Date
  /** Every transaction that could still add an operation from before the mark has ended. */
  isSettled: boolean
  /** The mark comes from another server, whose transaction numbers differ: a restored dump. */
  isForeign: boolean
}

interface ProgressRow {
  rolled_up_to: Date
  mark_at: Date
  is_settled: boolean
  is_foreign: boolean
}

function readProgress(row: ProgressRow): Progress {
  return {
    rolledUpTo: row.rolled_up_to,
    markAt: row.mark_at,
    isSettled: row.is_settled,
    isForeign: row.is_foreign,
  }
}

const PROGRESS = `select rolled_up_to, mark_at, pg_snapshot_xmin(pg_current_snapshot()) > mark_xid as is_settled,
    pg_snapshot_xmax(pg_current_snapshot()) <= mark_xid as is_foreign
  from books.progress`

/** No row: another process is working, or it is not due. */
export const TAKE_TURN: Statement<Progress> = {
  text: `${PROGRESS} where next_at <= clock_timestamp() for update skip locked`,
  read: readProgress,
}

/** Waits for a process that is working. */
export const LOCK_PROGRESS: Statement<Progress> = {
  text: `${PROGRESS} for update`,
  read: readProgress,
}

/**
 * A busy hour takes long; a process that hangs must lose its lock; and there is no need to wait for the disk, because
 * sums lost in a crash are rebuilt: the progress is lost with them.
 */
export const EXTEND_TIMEOUTS: pg.QueryConfig = {
  text: `set local statement_timeout = '60s'; set local idle_in_transaction_session_timeout = '30s';
    set local synchronous_commit = off`,
}

/**
 * The start time of the transaction, and its number, which it got later, with its first lock. A batch takes its number
 * (by locking wallets) before it reads its clock, so a batch with a higher number has a later time. The upper end of a
 * snapshot would be wrong: it is above the transactions that have ended, not above those that have started. Times have
 * milliseconds, as those of the operations do.
 */
const MARK = `mark_at = date_trunc('milliseconds', now()), mark_xid = pg_current_xact_id()`

export function setProgress(
  rolledUpTo: Date,
  options: { isMarked: boolean; pauseMs: number },
): pg.QueryConfig {
  return {
    text: `update books.progress set ${options.isMarked ? `${MARK}, ` : ''} rolled_up_to = $1,
        next_at = clock_timestamp() + make_interval(secs => $2::float8 / 1000)`,
    values: [rolledUpTo, options.pauseMs],
  }
}

const SUMS = `count(*) as count, sum(amount)::bigint as amount, coalesce(sum(debt_change), 0)::bigint as debt_change`

/** In the order of the keys, so that there are no deadlocks; returns the number of operations. */
const ADD = `days as (
    insert into books.days as t (day, account, kind, count, amount, debt_change)
    select (hour at time zone 'UTC')::date, account, kind, sum(count), sum(amount), sum(debt_change)
    from fresh group by 1, 2, 3 order by 1, 2, 3
    on conflict (day, account, kind) do update set count = t.count + excluded.count,
      amount = t.amount + excluded.amount, debt_change = t.debt_change + excluded.debt_change
  ), hours as (
    insert into books.hours as t (hour, account, kind, count, amount, debt_change)
    select hour, account, kind, count, amount, debt_change from fresh order by 1, 2, 3
    on conflict (hour, account, kind) do update set count = t.count + excluded.count,
      amount = t.amount + excluded.amount, debt_change = t.debt_change + excluded.debt_change
  ), totals as (
    insert into books.totals as t (account, kind, count, amount, debt_change)
    select account, kind, sum(count), sum(amount), sum(debt_change) from fresh group by 1, 2 order by 1, 2
    on conflict (account, kind) do update set count = t.count + excluded.count,
      amount = t.amount + excluded.amount, debt_change = t.debt_change + excluded.debt_change
  )
  select coalesce(sum(count), 0)::bigint as operations from fresh`

/** Adds the operations of a part of an hour to the sums. */
export function addOperations(hour: Date, from: Date, before: Date): pg.QueryConfig {
  return {
    text: `with fresh as materialized (
        select $1::timestamptz as hour, counter_account as account, kind, ${SUMS}
        from ledger.operations where created_at >= $2 and created_at < $3 group by 2, 3
      ), ${ADD}`,
    values: [hour, from, before],
  }
}

export interface Difference {
  account: bigint
  kind: Kind
  count: bigint
  amount: bigint
  debtChange: bigint
}

type DifferenceRow = Omit<Difference, 'debtChange'> & { debt_change: bigint }

/** Counts the part of an hour that is added up again: the operations minus the sums. */
export function findDifferences(hour: Date, before: Date): Statement<Difference> {
  return {
    text: `select account, kind, sum(count)::bigint as count, sum(amount)::bigint as amount,
        sum(debt_change)::bigint as debt_change
      from (
        select counter_account as account, kind, ${SUMS} from ledger.operations
        where created_at >= $1 and created_at < $2 group by 1, 2
        union all
        select account, kind, -count, -amount, -debt_change from books.hours where hour = $1
      ) x
      group by 1, 2 having sum(count) <> 0 or sum(amount) <> 0 or sum(debt_change) <> 0 order by 1, 2`,
    values: [hour, before],
    read: ({ debt_change: debtChange, ...row }: DifferenceRow) => ({ ...row, debtChange }),
  }
}

export function addDifferences(hour: Date, rows: readonly Difference[]): pg.QueryConfig {
  return {
    text: `with fresh as materialized (
        select $1::timestamptz as hour, account, kind, count, amount, debt_change
        from unnest($2::bigint[], $3::ledger.kind[], $4::bigint[], $5::bigint[], $6::bigint[])
          as x(account, kind, count, amount, debt_change)
      ), ${ADD}`,
    values: [
      hour,
      rows.map((each) => each.account),
      rows.map((each) => each.kind),
      rows.map((each) => each.count),
      rows.map((each) => each.amount),
      rows.map((each) => each.debtChange),
    ],
  }
}

export const SUMMARIZE: pg.QueryConfig = { text: 'select ledger.summarize_operations()' }
