import type { Role } from '@coffer/contract/admin/endpoint'
import type { Statement } from '../../database/statement.ts'

export interface Operator {
  id: bigint
  email: string
  role: Role
  isActive: boolean
  hasAuthenticator: boolean
}

interface OperatorRow {
  id: bigint
  email: string
  role: Role
  is_active: boolean
  has_authenticator: boolean
}

/** Locks the operator and every active owner, always in the same order, so that concurrent changes wait for each other. */
export function lockOperatorAndOwners(id: bigint): Statement<Operator> {
  return {
    text: `select id, email, role, is_active, totp_seed is not null as has_authenticator from admin.operators
      where id = $1 or (role = 'owner' and is_active) order by id for update`,
    values: [id],
    read: ({ id: operatorId, email, role, ...row }: OperatorRow) => ({
      id: operatorId,
      email,
      role,
      isActive: row.is_active,
      hasAuthenticator: row.has_authenticator,
    }),
  }
}

export interface NewOperator {
  email: string
  name: string
  role: Role
  passwordHash: string
  createdBy: bigint | null
}

/** Returns the id, or no row if the email is taken. */
export function insertOperator(operator: NewOperator): Statement<bigint> {
  const { email, name, role, passwordHash, createdBy } = operator
  return {
    text: `insert into admin.operators (email, name, role, password_hash, created_by)
      values ($1, $2, $3, $4, $5) on conflict do nothing returning id`,
    values: [email, name, role, passwordHash, createdBy],
    read: (row: { id: bigint }) => row.id,
  }
}

export function setOperator(id: bigint, role: Role, isActive: boolean) {
  return {
    text: 'update admin.operators set role = $2, is_active = $3 where id = $1',
    values: [id, role, isActive],
  }
}

export function removeAuthenticator(id: bigint) {
  return {
    text: `update admin.operators set totp_seed = null, totp_key_id = null, recovery_hmacs = '{}',
        recovery_key_id = null, totp_step = 0
      where id = $1`,
    values: [id],
  }
}

/** Stores who reset an operator's authenticator. Resetting one's own is not stored. */
export function insertReset(operatorId: bigint, resetBy: bigint) {
  return {
    text: `insert into admin.operator_resets (operator_id, reset_by) select $1::bigint, $2::bigint where $1::bigint <> $2::bigint
      on conflict do nothing`,
    values: [operatorId, resetBy],
  }
}

export function deletePasskeysOf(operatorId: bigint) {
  return { text: 'delete from admin.passkeys where operator_id = $1', values: [operatorId] }
}

export function deleteLogInsOf(operatorId: bigint) {
  return { text: 'delete from admin.log_ins where operator_id = $1', values: [operatorId] }
}

export interface ListedOperator extends Operator {
  name: string
  createdBy: string | null
  createdAt: Date
  lastSeenAt: Date | null
}

interface ListedOperatorRow extends OperatorRow {
  name: string
  created_by: string | null
  created_at: Date
  last_seen_at: Date | null
}

export const LIST_OPERATORS: Statement<ListedOperator> = {
  text: `select o.id, o.email, o.name, o.role, o.is_active, o.totp_seed is not null as has_authenticator,
      c.email as created_by, o.created_at, o.last_seen_at
    from admin.operators o left join admin.operators c on c.id = o.created_by order by o.id`,
  read: (row: ListedOperatorRow) => ({
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    isActive: row.is_active,
    hasAuthenticator: row.has_authenticator,
    createdBy: row.created_by,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
  }),
}
