import type { Statement } from '../../database/statement.ts'

export type Step = 'hour' | 'day'

export interface TopupCounts {
  at: Date
  started: number
  paid: number
  ended: number
}

interface TopupCountsRow {
  at: Date
  started: bigint
  paid: bigint
  ended: bigint
}

/** Grouped by the time when they were started. */
export function countTopups(from: Date, step: Step): Statement<TopupCounts> {
  return {
    text: `select date_trunc($2, created_at, 'UTC') as at, count(*) as started,
        count(*) filter (where status = 'credited') as paid, count(*) filter (where status = 'ended') as ended
      from directory.topups where created_at >= $1 group by 1`,
    values: [from, step],
    read: ({ at, started, paid, ended }: TopupCountsRow) => ({
      at,
      started: Number(started),
      paid: Number(paid),
      ended: Number(ended),
    }),
  }
}

export interface Traffic {
  at: Date
  kind: 'status' | 'code' | 'latency'
  value: string
  count: number
}

export function sumTraffic(from: Date, step: Step): Statement<Traffic> {
  return {
    text: `select date_trunc($2, hour, 'UTC') as at, kind, value, sum(count)::bigint as count
      from admin.traffic where hour >= $1 group by 1, 2, 3`,
    values: [from, step],
    read: (row: Omit<Traffic, 'count'> & { count: bigint }) => ({
      ...row,
      count: Number(row.count),
    }),
  }
}

export interface AccountApp {
  /** The ledger account of the app. */
  accountId: bigint
  clientId: string
  name: string
}

export function findAppsOfAccounts(accounts: readonly bigint[]): Statement<AccountApp> {
  return {
    text: `select account_id, client_id, name from directory.client_apps where account_id = any($1::bigint[])`,
    values: [accounts],
    read: (row: { account_id: bigint; client_id: string; name: string }) => ({
      accountId: row.account_id,
      clientId: row.client_id,
      name: row.name,
    }),
  }
}
