/** Searches the operations of all wallets by time. The totals show which hours have such operations, and how many. */
import type { Statement } from '../database/statement.ts'
import { ARCHIVED_BEFORE } from '../ledger/partitions/archived-queries.ts'
import { OPERATION, toOperation } from '../ledger/queries.ts'
import type { Kind, Operation } from '../ledger/types.ts'
import type { EntryKey, StatementHour } from './statement-queries.ts'

export interface OperationFilter {
  kinds: readonly Kind[]
  /** The ledger accounts on the other side of the wallets; undefined: all. */
  accounts: readonly number[] | undefined
  /** Of the money that moved, as in `movedBy` of the ledger. */
  minAmount: bigint | undefined
  referenceId?: string | undefined
}

/** Operations with a time from `from` on and before `before`. */
export interface Period {
  from: Date
  before: Date
}

export interface SearchLimits {
  now: Date
  totalsUpTo: Date
  /** undefined: no month is archived. */
  archivedBefore: Date | undefined
}

export const READ_SEARCH_LIMITS: Statement<SearchLimits> = {
  text: `select greatest(clock_timestamp(), totals_up_to) as now, totals_up_to, nullif(${ARCHIVED_BEFORE}, '-infinity') as archived_before
    from books.progress`,
  read: (row: { now: Date; totals_up_to: Date; archived_before: Date | null }) => ({
    now: row.now,
    totalsUpTo: row.totals_up_to,
    archivedBefore: row.archived_before ?? undefined,
  }),
}

/**
 * Newest first, those after `last` in this order. Not prepared, so that it is planned for the months of the period
 * alone.
 */
export function listNewest(
  { from, before }: Period,
  last: EntryKey,
  { kinds, accounts, minAmount, referenceId }: OperationFilter,
  limit: number,
): Statement<Operation> {
  return {
    text: `select ${OPERATION} from ledger.operations
      where created_at >= $1 and created_at < $2
        and (created_at, wallet_id, seq) < ($3::timestamptz, $4::bigint, $5::bigint)
        and kind = any($6::ledger.kind[])
        and ($7::bigint[] is null or counter_account = any($7))
        and ($8::bigint is null or abs(case when kind::text in ('hold', 'release', 'expiry') then held_change
          else ledger.account_change(amount, debt_change, held_change) end) >= $8)
        and ($10::text is null or reference_id = $10)
      order by created_at desc, wallet_id desc, seq desc limit $9`,
    values: [
      from,
      before,
      last.at,
      last.walletId,
      last.seq,
      kinds,
      accounts ?? null,
      minAmount ?? null,
      limit,
      referenceId ?? null,
    ],
    read: toOperation,
  }
}

/** The newest days with operations, of these ledger accounts and kinds if accounts are given. */
export function listDays(
  { from, before }: Period,
  { kinds, accounts }: OperationFilter,
  limit: number,
): Statement<Date> {
  const matching = accounts
    ? 'account = any($4::bigint[]) and kind = any($5::ledger.kind[]) and'
    : ''
  return {
    text: `select distinct day::timestamp at time zone 'UTC' as start, day from books.days
      where ${matching} day >= ($1::timestamptz at time zone 'UTC')::date
        and day < $2::timestamptz at time zone 'UTC' and count > 0
      order by day desc limit $3`,
    values: [from, before, limit, ...(accounts ? [accounts, kinds] : [])],
    read: (row: { start: Date }) => row.start,
  }
}

export interface SearchHour extends StatementHour {
  /** Whether the hour has operations of these kinds and ledger accounts. */
  hasMatch: boolean
}

/** The hours of these days that have operations, newest first; with accounts, only those that have a match. */
export function listHours(
  days: readonly Date[],
  before: Date,
  { kinds, accounts }: OperationFilter,
): Statement<SearchHour> {
  return {
    text: accounts === undefined ? ALL_HOURS : MATCHING_HOURS,
    values: [days, before, kinds, ...(accounts === undefined ? [] : [accounts])],
    read: (row: { hour: Date; operations: bigint; has_match: boolean }) => ({
      hour: row.hour,
      operations: row.operations,
      hasMatch: row.has_match,
    }),
  }
}

const ALL_HOURS = `select hour, sum(count)::bigint as operations,
    bool_or(count > 0 and kind = any($3::ledger.kind[])) as has_match
  from unnest($1::timestamptz[]) as day
    join books.hours on hour >= day and hour < least(day + interval '1 day', $2::timestamptz)
  group by hour having sum(count) > 0 order by hour desc`

/**
 * Looks for a match in each hour by the primary key, and counts the operations only of the hours that have one: a day
 * of a busy service has tens of thousands of rows.
 */
const MATCHING_HOURS = `select hour, operations, true as has_match
  from unnest($1::timestamptz[]) as day
    cross join generate_series(day, day + interval '23 hours', interval '1 hour') as hour
    cross join lateral (
      select from books.hours h
      where h.hour = hour.hour and account = any($4::bigint[]) and kind = any($3::ledger.kind[]) and count > 0 limit 1
    ) as match
    cross join lateral (select sum(count)::bigint as operations from books.hours h where h.hour = hour.hour) as total
  where hour < $2::timestamptz
  order by hour desc`
