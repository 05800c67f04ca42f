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

/** Responses, and refusals by code, between two whole hours. */
export function countResponses(
  from: Date,
  before: Date,
): Statement<{ requests: number; refused: number }> {
  return {
    text: `select coalesce(sum(count) filter (where kind = 'status'), 0)::bigint as requests,
        coalesce(sum(count) filter (where kind = 'code'), 0)::bigint as refused
      from admin.traffic where hour >= $1 and hour < $2`,
    values: [from, before],
    read: (row: { requests: bigint; refused: bigint }) => ({
      requests: Number(row.requests),
      refused: Number(row.refused),
    }),
  }
}

export interface Waiting {
  approvals: number
  disputes: number
  frozenWallets: number
}

interface WaitingRow {
  approvals: bigint
  disputes: bigint
  frozen_wallets: bigint
}

/** Each count has a partial index of its own. */
export const COUNT_WAITING: Statement<Waiting> = {
  text: `select (select count(*) from admin.grants where status = 'open') as approvals,
    (select count(*) from directory.disputes
      where status like '%needs_response' and respond_by > now()) as disputes,
    (select count(*) from ledger.wallets where not is_active and closed_at is null) as frozen_wallets`,
  read: (row: WaitingRow) => ({
    approvals: Number(row.approvals),
    disputes: Number(row.disputes),
    frozenWallets: Number(row.frozen_wallets),
  }),
}

export interface FailingApp {
  clientId: string
  name: string
  /** How many apps there are, including those above the limit. */
  total: number
}

/** Active apps with a webhook that fails or that the service disabled. */
export function findFailingApps(limit: number): Statement<FailingApp> {
  return {
    text: `select client_id, name, count(*) over () as total from directory.client_apps
      where is_active and id in (select client_app_id from events.webhooks where deleted_at is null
        and coalesce(disabled_reason <> 'switched_off', failing_since is not null))
      order by name, id limit $1`,
    values: [limit],
    read: (row: { client_id: string; name: string; total: bigint }) => ({
      clientId: row.client_id,
      name: row.name,
      total: Number(row.total),
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
