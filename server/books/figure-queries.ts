/** Reads the totals, and the operations that are not in the totals yet. */
import type { Statement } from '../database/statement.ts'
import type { Kind } from '../ledger/types.ts'

const ROLLED_UP_TO = 'select rolled_up_to from books.progress'

export const READ_ROLLED_UP_TO: Statement<Date> = {
  text: ROLLED_UP_TO,
  read: (row: { rolled_up_to: Date }) => row.rolled_up_to,
}

export interface Sum {
  count: bigint
  amount: bigint
  debtChange: bigint
  heldChange: bigint
}

interface SumRow {
  count: bigint
  amount: bigint
  debt_change: bigint
  held_change: bigint
}

function readSum<Row extends SumRow>({
  debt_change: debtChange,
  held_change: heldChange,
  ...row
}: Row) {
  return { ...row, debtChange, heldChange }
}

export interface SlotSum extends Sum {
  /** The start of an hour or of a UTC day; null in a sum per account. */
  at: Date | null
  /** null in a sum per hour or day. */
  account: bigint | null
  kind: Kind
}

const SUMS = `sum(count)::bigint as count, sum(amount)::bigint as amount, sum(debt_change)::bigint as debt_change,
  sum(held_change)::bigint as held_change`

type SlotRow = SumRow & Omit<SlotSum, keyof Sum>

/** Sums by time and kind, and by account and kind, in one statement. */
export function sumHours(from: Date): Statement<SlotSum> {
  return {
    text: `select hour as at, account, kind, ${SUMS} from books.hours where hour >= $1
      group by grouping sets ((hour, kind), (account, kind))`,
    values: [from],
    read: readSum<SlotRow>,
  }
}

export function sumDays(from: Date): Statement<SlotSum> {
  return {
    text: `select day::timestamp at time zone 'UTC' as at, account, kind, ${SUMS} from books.days
      where day >= ($1::timestamptz at time zone 'UTC')::date
      group by grouping sets ((day, kind), (account, kind))`,
    values: [from],
    read: readSum<SlotRow>,
  }
}

export interface KindSum extends Sum {
  kind: Kind
}

/**
 * Sums by kind between two whole hours. If the first one begins a UTC day, every complete day is read from its total.
 */
export function sumBetween(from: Date, before: Date, step: 'hour' | 'day'): Statement<KindSum> {
  const lastDay = `date_trunc('day', $2::timestamptz, 'UTC')`
  const columns = 'kind, count, amount, debt_change, held_change'
  const days = `select ${columns} from books.days
    where day >= ($1::timestamptz at time zone 'UTC')::date and day < ($2::timestamptz at time zone 'UTC')::date
    union all`
  return {
    text: `select kind, ${SUMS} from (
        ${step === 'day' ? days : ''}
        select ${columns} from books.hours
        where hour >= ${step === 'day' ? `greatest($1, ${lastDay})` : '$1'} and hour < $2
      ) as parts group by kind`,
    values: [from, before],
    read: readSum<SumRow & { kind: Kind }>,
  }
}

export interface TailSum extends SlotSum {
  at: Date
  account: bigint
}

/** The operations of the last few seconds, which are not in the totals yet. */
export function sumTail(rolledUpTo: Date): Statement<TailSum> {
  return {
    text: `select date_trunc('hour', created_at, 'UTC') as at, counter_account as account, kind, count(*) as count,
        sum(amount)::bigint as amount, coalesce(sum(debt_change), 0)::bigint as debt_change,
        coalesce(sum(held_change), 0)::bigint as held_change
      from ledger.operations where created_at >= $1 group by 1, 2, 3`,
    values: [rolledUpTo],
    read: readSum<SumRow & Omit<TailSum, keyof Sum>>,
  }
}

export interface AccountSum extends Sum {
  account: bigint
}

export const SUM_TOTALS: Statement<AccountSum> = {
  text: `select account, ${SUMS} from books.totals group by account`,
  read: readSum<SumRow & { account: bigint }>,
}

/** One statement, so that no operation is counted in both parts or in neither. */
export function readSettlement(account: number): Statement<bigint> {
  return {
    text: `select (
        coalesce((select sum(ledger.account_change(amount, debt_change, held_change)) from books.totals where account = $1), 0)
        + coalesce((select sum(ledger.account_change(amount, debt_change, held_change)) from ledger.operations
          where counter_account = $1 and created_at >= (${ROLLED_UP_TO})), 0)
      )::bigint as settlement`,
    values: [account],
    read: (row: { settlement: bigint }) => row.settlement,
  }
}
