import type pg from 'pg'

export type Step = 'hour' | 'day'

export interface TopupSlotRow {
  at: Date
  begun: bigint
  paid: bigint
  ended: bigint
}

/** By when they began. */
export function countTopups(from: Date, step: Step): pg.QueryConfig {
  return {
    text: `select date_trunc($2, created_at, 'UTC') as at, count(*) as begun,
        count(*) filter (where status = 'credited') as paid, count(*) filter (where status = 'ended') as ended
      from directory.topups where created_at >= $1 group by 1`,
    values: [from, step],
  }
}

export interface TrafficRow {
  at: Date
  kind: 'status' | 'code' | 'latency'
  value: string
  count: bigint
}

export function sumTraffic(from: Date, step: Step): pg.QueryConfig {
  return {
    text: `select date_trunc($2, hour, 'UTC') as at, kind, value, sum(count)::bigint as count
      from admin.traffic where hour >= $1 group by 1, 2, 3`,
    values: [from, step],
  }
}

export interface AccountAppRow {
  account_id: bigint
  client_id: string
  name: string
}

export function findAppsOfAccounts(accounts: readonly bigint[]): pg.QueryConfig {
  return {
    text: `select account_id, client_id, name from directory.client_apps where account_id = any($1::bigint[])`,
    values: [accounts],
  }
}
