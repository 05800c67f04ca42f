/** Reads the totals, and the operations that are not in the totals yet. */
import type { Statement } from '../database/statement.ts'
import type { Kind } from '../ledger/types.ts'

const TOTALS_UP_TO = 'select totals_up_to from books.progress'

export const READ_TOTALS_UP_TO: Statement<Date> = {
  text: TOTALS_UP_TO,
  read: (row: { totals_up_to: Date }) => row.totals_up_to,
}

export interface Totals {
  count: bigint
  amount: bigint
  debtChange: bigint
  heldChange: bigint
}

export interface TotalsRow {
  count: bigint
  amount: bigint
  debt_change: bigint
  held_change: bigint
}

export function readTotals<Row extends TotalsRow>({
  debt_change: debtChange,
  held_change: heldChange,
  ...row
}: Row) {
  return { ...row, debtChange, heldChange }
}

export interface SlotTotals extends Totals {
  /** The start of an hour or of a UTC day; null in the totals of an account. */
  at: Date | null
  /** null in the totals of an hour or a day. */
  account: bigint | null
  kind: Kind
}

const TOTALS = `sum(count)::bigint as count, sum(amount)::bigint as amount, sum(debt_change)::bigint as debt_change,
  sum(held_change)::bigint as held_change`

type SlotTotalsRow = TotalsRow & Omit<SlotTotals, keyof Totals>

/** By time and kind, and by account and kind, in one statement. */
export function readHourTotals(from: Date): Statement<SlotTotals> {
  return {
    text: `select hour as at, account, kind, ${TOTALS} from books.hours where hour >= $1
      group by grouping sets ((hour, kind), (account, kind))`,
    values: [from],
    read: readTotals<SlotTotalsRow>,
  }
}

export function readDayTotals(from: Date): Statement<SlotTotals> {
  return {
    text: `select day::timestamp at time zone 'UTC' as at, account, kind, ${TOTALS} from books.days
      where day >= ($1::timestamptz at time zone 'UTC')::date
      group by grouping sets ((day, kind), (account, kind))`,
    values: [from],
    read: readTotals<SlotTotalsRow>,
  }
}

export interface KindTotals extends Totals {
  kind: Kind
}

/**
 * By kind, between two whole hours. If the first one begins a UTC day, every complete day is read from its total.
 */
export function readTotalsBetween(
  from: Date,
  before: Date,
  step: 'hour' | 'day',
): Statement<KindTotals> {
  const lastDay = `date_trunc('day', $2::timestamptz, 'UTC')`
  const columns = 'kind, count, amount, debt_change, held_change'
  const days = `select ${columns} from books.days
    where day >= ($1::timestamptz at time zone 'UTC')::date and day < ($2::timestamptz at time zone 'UTC')::date
    union all`
  return {
    text: `select kind, ${TOTALS} from (
        ${step === 'day' ? days : ''}
        select ${columns} from books.hours
        where hour >= ${step === 'day' ? `greatest($1, ${lastDay})` : '$1'} and hour < $2
      ) as parts group by kind`,
    values: [from, before],
    read: readTotals<TotalsRow & { kind: Kind }>,
  }
}

export interface NewestTotals extends SlotTotals {
  at: Date
  account: bigint
}

/** The operations of the last few seconds, which are not in the totals yet. */
export function computeNewestTotals(totalsUpTo: Date): Statement<NewestTotals> {
  return {
    text: `select date_trunc('hour', created_at, 'UTC') as at, counter_account as account, kind, count(*) as count,
        sum(amount)::bigint as amount, coalesce(sum(debt_change), 0)::bigint as debt_change,
        coalesce(sum(held_change), 0)::bigint as held_change
      from ledger.operations where created_at >= $1 group by 1, 2, 3`,
    values: [totalsUpTo],
    read: readTotals<TotalsRow & Omit<NewestTotals, keyof Totals>>,
  }
}

export interface AccountTotals extends Totals {
  account: bigint
}

export const READ_ACCOUNT_TOTALS: Statement<AccountTotals> = {
  text: `select account, ${TOTALS} from books.totals group by account`,
  read: readTotals<TotalsRow & { account: bigint }>,
}

/** One statement, so that no operation is counted in both parts or in neither. */
export function readSettlement(account: number): Statement<bigint> {
  return {
    text: `select (
        coalesce((select sum(ledger.account_change(amount, debt_change, held_change)) from books.totals where account = $1), 0)
        + coalesce((select sum(ledger.account_change(amount, debt_change, held_change)) from ledger.operations
          where counter_account = $1 and created_at >= (${TOTALS_UP_TO})), 0)
      )::bigint as settlement`,
    values: [account],
    read: (row: { settlement: bigint }) => row.settlement,
  }
}
