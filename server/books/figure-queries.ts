/** What the books say: the sums, and the operations that came after them. */
import type pg from 'pg'
import type { Kind } from '../ledger/types.ts'

/** What is read in it belongs to one moment. */
export const BEGIN_SNAPSHOT = 'begin isolation level repeatable read read only'

export const READ_ROLLED_UP_TO = 'select rolled_up_to from books.progress'

export interface SumRow {
  count: bigint
  amount: bigint
  debt_change: bigint
}

export interface MovementRow extends SumRow {
  /** The beginning of an hour or of a day of UTC; null where the row is about an account. */
  at: Date | null
  /** null where the row is about a time. */
  account: bigint | null
  kind: Kind
}

const SUMS = `sum(count)::bigint as count, sum(amount)::bigint as amount, sum(debt_change)::bigint as debt_change`

/** By time and kind, and by account and kind, in one go. */
export function sumHours(from: Date): pg.QueryConfig {
  return {
    text: `select hour as at, account, kind, ${SUMS} from books.hours where hour >= $1
      group by grouping sets ((hour, kind), (account, kind))`,
    values: [from],
  }
}

export function sumDays(from: Date): pg.QueryConfig {
  return {
    text: `select day::timestamp at time zone 'UTC' as at, account, kind, ${SUMS} from books.days
      where day >= ($1::timestamptz at time zone 'UTC')::date
      group by grouping sets ((day, kind), (account, kind))`,
    values: [from],
  }
}

export interface TailRow extends MovementRow {
  at: Date
  account: bigint
}

/** The few seconds after the sums. */
export function sumTail(rolledUpTo: Date): pg.QueryConfig {
  return {
    text: `select date_trunc('hour', created_at, 'UTC') as at, counter_account as account, kind, count(*) as count,
        sum(amount)::bigint as amount, coalesce(sum(debt_change), 0)::bigint as debt_change
      from ledger.operations where created_at >= $1 group by 1, 2, 3`,
    values: [rolledUpTo],
  }
}

export interface TotalRow extends SumRow {
  account: bigint
}

export const SUM_TOTALS = `select account, ${SUMS} from books.totals group by account`

/** In one statement, so that nothing can slip from the tail into the sums in between. */
export function readSettlement(account: number): pg.QueryConfig {
  return {
    text: `select (
        coalesce((select sum(debt_change - amount) from books.totals where account = $1), 0)
        + coalesce((select sum(coalesce(debt_change, 0) - amount) from ledger.operations
          where counter_account = $1 and created_at >= (${READ_ROLLED_UP_TO})), 0)
      )::bigint as settlement`,
    values: [account],
  }
}
