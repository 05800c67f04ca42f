import type pg from 'pg'
import { GRANT, type LimitGrantRow } from './grants/queries.ts'

export type NewLimit = Pick<
  LimitGrantRow,
  'id' | 'client_app_id' | 'credit_limit' | 'amount' | 'reason' | 'needs_second' | 'proposed_by'
>

/** Open if it needs a second operator; otherwise it takes effect in the same transaction. */
export function insertLimit(limit: NewLimit): pg.QueryConfig {
  return {
    text: `insert into admin.grants
        (id, kind, client_app_id, credit_limit, amount, reason, proposed_by, needs_second, status, decided_at)
      values ($1, 'credit_limit', $2, $3, $4, $5, $6, $7::boolean, case when $7::boolean then 'open' else 'posted' end,
        case when $7::boolean then null else clock_timestamp() end)`,
    values: [
      limit.id,
      limit.client_app_id,
      limit.credit_limit,
      limit.amount,
      limit.reason,
      limit.proposed_by,
      limit.needs_second,
    ],
  }
}

/** The same request of the same operator, if it waits already. */
export function findSameLimit(
  limit: Pick<NewLimit, 'client_app_id' | 'credit_limit' | 'proposed_by'>,
): pg.QueryConfig {
  return {
    text: `select id from admin.grants where status = 'open' and client_app_id = $1
        and credit_limit is not distinct from $2::bigint and proposed_by = $3`,
    values: [limit.client_app_id, limit.credit_limit, limit.proposed_by],
  }
}

export interface WaitingLimitRow {
  id: string
  credit_limit: bigint | null
  email: string
}

/** The newest request that waits for this app. */
export function findWaitingLimit(clientAppId: bigint): pg.QueryConfig {
  return {
    text: `select g.id, g.credit_limit, o.email from admin.grants g join admin.operators o on o.id = g.proposed_by
      where g.status = 'open' and g.client_app_id = $1 order by g.proposed_at desc, g.id desc limit 1`,
    values: [clientAppId],
  }
}

export interface LimitAppRow {
  client_id: string
  account_id: bigint
}

export function findLimitApp(clientAppId: bigint): pg.QueryConfig {
  return {
    text: 'select client_id, account_id from directory.client_apps where id = $1',
    values: [clientAppId],
  }
}

/** The caller changes the limit in the same transaction. */
export function setLimitApproved(id: string, secondOperator: bigint): pg.QueryConfig {
  return {
    text: `update admin.grants g set status = 'posted', second_operator = $2, decided_at = clock_timestamp()
      where g.id = $1 and g.status = 'open' returning ${GRANT}`,
    values: [id, secondOperator],
  }
}
