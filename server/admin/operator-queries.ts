import type { Role } from '@coffer/contract/admin/endpoint'
import type pg from 'pg'

export interface OperatorRow {
  id: bigint
  email: string
  name: string
  role: Role
  password_hash: string
  totp_seed: Buffer | null
  totp_key_id: string | null
  is_active: boolean
}
const OPERATOR = 'id, email, name, role, password_hash, totp_seed, totp_key_id, is_active'

export function findOperatorByEmail(email: string): pg.QueryConfig {
  return {
    text: `select ${OPERATOR} from admin.operators where lower(email) = lower($1) and is_active`,
    values: [email],
  }
}

export function findActiveOperator(id: bigint): pg.QueryConfig {
  return {
    text: `select ${OPERATOR} from admin.operators where id = $1 and is_active`,
    values: [id],
  }
}

/** The operator and every active owner, always in the same order: of two changes at once the second sees the first. */
export function lockOwnersAnd(id: bigint): pg.QueryConfig {
  return {
    text: `select ${OPERATOR} from admin.operators
      where id = $1 or (role = 'owner' and is_active) order by id for update`,
    values: [id],
  }
}

export interface NewOperator {
  email: string
  name: string
  role: Role
  passwordHash: string
  createdBy: bigint | null
}

/** Returns nothing if somebody has the e-mail. */
export function insertOperator(operator: NewOperator): pg.QueryConfig {
  const { email, name, role, passwordHash, createdBy } = operator
  return {
    text: `insert into admin.operators (email, name, role, password_hash, created_by)
      values ($1, $2, $3, $4, $5) on conflict do nothing returning id`,
    values: [email, name, role, passwordHash, createdBy],
  }
}

export function setOperator(id: bigint, role: Role, isActive: boolean): pg.QueryConfig {
  return {
    text: 'update admin.operators set role = $2, is_active = $3 where id = $1',
    values: [id, role, isActive],
  }
}

export function forgetAuthenticator(id: bigint): pg.QueryConfig {
  return {
    text: `update admin.operators set totp_seed = null, totp_key_id = null, recovery_hmacs = '{}',
        recovery_key_id = null, totp_step = 0
      where id = $1`,
    values: [id],
  }
}

/** Whoever sets an authenticator up first has it; the second finds one there. */
export function setAuthenticator(
  id: bigint,
  seed: { sealed: Buffer; keyId: string },
  step: number,
  recoveryHmacs: readonly Buffer[],
): pg.QueryConfig {
  return {
    text: `update admin.operators
      set totp_seed = $2, totp_key_id = $3, totp_step = $4, recovery_hmacs = $5::bytea[], recovery_key_id = null
      where id = $1 and is_active and totp_seed is null and totp_step < $4 returning id`,
    values: [id, seed.sealed, seed.keyId, step, recoveryHmacs],
  }
}

/** Whoever gets the row used the code; nobody uses it, or an earlier one, again. */
export function useStep(id: bigint, step: number): pg.QueryConfig {
  return {
    text: `update admin.operators set totp_step = $2
      where id = $1 and is_active and totp_seed is not null and totp_step < $2 returning id`,
    values: [id, step],
  }
}

/** `hmacs` are those that the code has with each of the keys. */
export function useRecoveryCode(id: bigint, hmacs: readonly Buffer[]): pg.QueryConfig {
  return {
    text: `update admin.operators
      set recovery_hmacs = array(select h from unnest(recovery_hmacs) h where h <> all ($2::bytea[]))
      where id = $1 and is_active and recovery_hmacs && $2::bytea[] returning id`,
    values: [id, hmacs],
  }
}

export interface ListedOperatorRow {
  id: bigint
  email: string
  name: string
  role: Role
  is_active: boolean
  has_authenticator: boolean
  created_by: string | null
  created_at: Date
  last_seen_at: Date | null
}

export const LIST_OPERATORS = `select o.id, o.email, o.name, o.role, o.is_active, o.totp_seed is not null as has_authenticator,
    c.email as created_by, o.created_at, o.last_seen_at
  from admin.operators o left join admin.operators c on c.id = o.created_by order by o.id`
