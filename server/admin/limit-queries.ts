import type { Statement } from '../database/statement.ts'

export interface NewLimit {
  id: string
  clientAppId: bigint
  /** null: unlimited. */
  creditLimit: bigint | null
  /** The increase; null: to unlimited. */
  amount: bigint | null
  reason: string
  needsSecond: boolean
  proposerId: bigint
}

/** Open if it needs a second operator; otherwise it takes effect in the same transaction. */
export function insertLimit(limit: NewLimit) {
  return {
    text: `insert into admin.grants
        (id, kind, client_app_id, credit_limit, amount, reason, proposed_by, needs_second, status, decided_at)
      values ($1, 'credit_limit', $2, $3, $4, $5, $6, $7::boolean, case when $7::boolean then 'open' else 'posted' end,
        case when $7::boolean then null else clock_timestamp() end)`,
    values: [
      limit.id,
      limit.clientAppId,
      limit.creditLimit,
      limit.amount,
      limit.reason,
      limit.proposerId,
      limit.needsSecond,
    ],
  }
}

/** Returns the id of the same request by the same operator, if one is already open. */
export function findSameLimit(
  limit: Pick<NewLimit, 'clientAppId' | 'creditLimit' | 'proposerId'>,
): Statement<string> {
  return {
    text: `select id from admin.grants where kind = 'credit_limit' and status = 'open' and client_app_id = $1
        and credit_limit is not distinct from $2::bigint and proposed_by = $3`,
    values: [limit.clientAppId, limit.creditLimit, limit.proposerId],
    read: (row: { id: string }) => row.id,
  }
}
