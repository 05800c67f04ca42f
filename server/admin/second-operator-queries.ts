/** Statements behind the rule that larger amounts need a second operator. */
import { ADVISORY_LOCKS } from '../database/advisory-locks.ts'
import type { Role } from '@coffer/contract/admin/endpoint'
import type { Statement } from '../database/statement.ts'

export interface OperatorOrigins {
  id: bigint
  email: string
  /** Whether the operator is active and has a role that may move money. */
  mayGrant: boolean
  createdBy: bigint | null
  resetBy: readonly bigint[]
}

/** Only one transaction at a time checks the limit, so that concurrent grants do not read the same sum. */
export const LOCK_GRANTS = { text: `select pg_advisory_xact_lock(${ADVISORY_LOCKS.grants})` }

/** Returns the ids of those operators who may give money now. They keep that right until the transaction ends. */
export function lockGrantingOperators(ids: readonly bigint[]): Statement<bigint> {
  return {
    text: `select id from admin.operators
      where id = any($1::bigint[]) and is_active and role in ('owner', 'operator') order by id for share`,
    values: [ids],
    read: (row: { id: bigint }) => row.id,
  }
}

/**
 * What these operators gave and took without a second operator, and by how much they raised credit limits. Grants that
 * the ledger refused do not count, and lowering a limit does not reduce the sum.
 */
export function sumWithoutSecond(operatorIds: readonly bigint[]): Statement<bigint> {
  return {
    text: `select coalesce(sum(amount), 0)::bigint as sum from admin.grants
      where proposed_by = any($1::bigint[]) and not needs_second and status in ('approved', 'posted')
        and decided_at > clock_timestamp() - interval '24 hours'`,
    values: [operatorIds],
    read: (row: { sum: bigint }) => row.sum,
  }
}

interface OriginsRow {
  id: bigint
  email: string
  role: Role
  is_active: boolean
  created_by: bigint | null
  /** The driver returns the elements of a bigint[] as text. */
  reset_by: string[]
}

/** Reads every operator; there are few. */
export const LIST_OPERATOR_ORIGINS: Statement<OperatorOrigins> = {
  text: `select o.id, o.email, o.role, o.is_active, o.created_by,
      array(select r.reset_by from admin.operator_resets r where r.operator_id = o.id order by r.reset_by) as reset_by
    from admin.operators o order by o.id`,
  read: (row: OriginsRow) => ({
    id: row.id,
    email: row.email,
    mayGrant: row.is_active && row.role !== 'viewer',
    createdBy: row.created_by,
    resetBy: row.reset_by.map(BigInt),
  }),
}
