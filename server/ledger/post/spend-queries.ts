/** Reads and writes spending limits. */
import type pg from 'pg'
import { int8Array } from '../../database/binary-array.ts'
import type { Statement } from '../../database/statement.ts'
import { NOW_MS } from '../queries.ts'
import { UNITS, type SpendLimit, type SpendPeriod, type Unit } from '../types.ts'

interface PeriodRow {
  max: bigint | null
  starts_at: Date
  ends_at: Date
  spent: bigint
}

type PeriodColumns = {
  [Column in keyof PeriodRow as `${Unit}_${Column}`]: PeriodRow[Column]
}

export interface SpendLimitRow extends PeriodColumns {
  wallet_id: bigint
  account: bigint
  single_max: bigint | null
  ends_at: Date | null
  time_zone: string
}

const COUNTERS = UNITS.flatMap((unit) =>
  ['starts_at', 'ends_at', 'spent'].map((column) => `${unit}_${column}`),
)
const MAXIMA = UNITS.map((unit) => `${unit}_max`)
const LIMIT = ['wallet_id', 'account', 'single_max', 'ends_at', 'time_zone', ...MAXIMA, ...COUNTERS]

export function toSpendLimit(row: SpendLimitRow): SpendLimit {
  const periodOf = (unit: Unit): SpendPeriod => ({
    max: row[`${unit}_max`],
    startsAtMs: row[`${unit}_starts_at`].getTime(),
    endsAtMs: row[`${unit}_ends_at`].getTime(),
    spent: row[`${unit}_spent`],
  })
  return {
    walletId: row.wallet_id,
    account: Number(row.account),
    singleMax: row.single_max,
    endsAtMs: row.ends_at && row.ends_at.getTime(),
    timeZone: row.time_zone,
    periods: { day: periodOf('day'), week: periodOf('week'), month: periodOf('month') },
  }
}

/** All limits of these wallets. */
export function readSpendLimits(walletIds: readonly bigint[]): Statement<SpendLimit> {
  return {
    name: 'read-spend-limits',
    text: `select ${LIMIT.join()} from ledger.spend_limits where wallet_id = any($1::bigint[])
      order by wallet_id, account`,
    values: [int8Array(walletIds)],
    read: toSpendLimit,
  }
}

/**
 * Writes what the app has taken. The lock on the wallet keeps the rows; if one is missing nevertheless, the cast fails,
 * as in the statement that writes the batch.
 */
export function writeSpends(limits: readonly SpendLimit[]): pg.QueryConfig {
  const times = (read: (limit: SpendLimit) => number) =>
    limits.map((limit) => new Date(read(limit)))
  const columns = UNITS.map((_, at) => {
    const first = 3 + 3 * at
    return `$${first}::timestamptz[], $${first + 1}::timestamptz[], $${first + 2}::bigint[]`
  })
  return {
    name: 'write-spends',
    text: `with written as (
        update ledger.spend_limits l set ${COUNTERS.map((each) => `${each} = x.${each}`).join()}
        from unnest($1::bigint[], $2::bigint[], ${columns.join()}) as x(wallet_id, account, ${COUNTERS.join()})
        where l.wallet_id = x.wallet_id and l.account = x.account
        returning 1
      )
      select ('only ' || count(*) || ' spending limits were updated')::int from written
        having count(*) <> cardinality($1::bigint[])`,
    values: [
      int8Array(limits.map((each) => each.walletId)),
      int8Array(limits.map((each) => each.account)),
      ...UNITS.flatMap((unit) => [
        times(({ periods }) => periods[unit].startsAtMs),
        times(({ periods }) => periods[unit].endsAtMs),
        int8Array(limits.map(({ periods }) => periods[unit].spent)),
      ]),
    ],
  }
}

/** Waits for the batch that has locked the wallet. Returns no row if there is no wallet or if it is closed. */
export function lockOpenWallet(walletId: bigint): pg.QueryConfig {
  return {
    text: 'select from ledger.wallets where id = $1 and closed_at is null for update',
    values: [walletId],
  }
}

export const READ_NOW: Statement<number> = {
  text: `select ${NOW_MS} as now_ms`,
  read: (row: { now_ms: bigint }) => Number(row.now_ms),
}

export function putSpendLimit(limit: SpendLimit): pg.QueryConfig {
  const { walletId, account, singleMax, endsAtMs, timeZone, periods } = limit
  const values = [
    walletId,
    account,
    singleMax,
    endsAtMs === null ? null : new Date(endsAtMs),
    timeZone,
    ...UNITS.map((unit) => periods[unit].max),
    ...UNITS.map((unit) => periods[unit]).flatMap(({ startsAtMs, endsAtMs: end, spent }) => [
      new Date(startsAtMs),
      new Date(end),
      spent,
    ]),
  ]
  return {
    text: `insert into ledger.spend_limits (${LIMIT.join()})
      values (${LIMIT.map((_, at) => `$${at + 1}`).join()})
      on conflict (wallet_id, account) do update
      set ${LIMIT.slice(2)
        .map((each) => `${each} = excluded.${each}`)
        .join()}`,
    values,
  }
}

export function deleteSpendLimit(walletId: bigint, account: number): pg.QueryConfig {
  return {
    text: 'delete from ledger.spend_limits where wallet_id = $1 and account = $2',
    values: [walletId, account],
  }
}

/** Run this after each change of the wallet's limits: batches read the limits only if has_spend_limits is set. */
export function markSpendLimits(walletId: bigint): pg.QueryConfig {
  return {
    text: `update ledger.wallets w set has_spend_limits = l.has_some
      from (select exists (select from ledger.spend_limits where wallet_id = $1) as has_some) l
      where w.id = $1 and w.has_spend_limits <> l.has_some`,
    values: [walletId],
  }
}

/**
 * SQL: what a client app has taken from a wallet by each operation since a time, and when it was taken. A refund or
 * release counts at the time of the debit or hold. A credit does not count.
 */
export function movedSince(walletId: string, account: string, since: string): string {
  return `select coalesce(o.debt_change, 0) - o.amount as net,
      coalesce(h.decided_at, t.decided_at, o.created_at) as taken_at
    from ledger.operations o
    left join ledger.operation_keys t on t.digest = o.target
    left join ledger.operation_keys h on h.digest = t.target
    where o.wallet_id = ${walletId} and o.counter_account = ${account} and o.created_at >= ${since}
      and o.kind::text in ('debit', 'refund', 'hold', 'capture', 'release', 'expiry')`
}

/** What a client app has taken from a wallet since the start of each period, from the operations. */
export function sumSpent(
  walletId: bigint,
  account: number,
  startsAtMs: Record<Unit, number>,
): Statement<Record<Unit, bigint>> {
  const starts = UNITS.map((unit) => new Date(startsAtMs[unit]))
  const earliest = new Date(Math.min(...Object.values(startsAtMs)))
  const sums = UNITS.map(
    (unit, at) =>
      `coalesce(sum(net) filter (where taken_at >= $${3 + at}), 0)::bigint as ${unit}_spent`,
  )
  return {
    text: `select ${sums.join()} from (${movedSince('$1', '$2', '$6')}) moved`,
    values: [walletId, account, ...starts, earliest],
    read: (row: { day_spent: bigint; week_spent: bigint; month_spent: bigint }) => ({
      day: row.day_spent,
      week: row.week_spent,
      month: row.month_spent,
    }),
  }
}
