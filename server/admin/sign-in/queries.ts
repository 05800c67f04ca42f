import type pg from 'pg'

/** Whatever a change of the operator's sign-in does, it does after every other that is under way. */
export function lockActiveOperator(id: bigint): pg.QueryConfig {
  return {
    text: 'select id from admin.operators where id = $1 and is_active for update',
    values: [id],
  }
}

export interface SignInRow {
  has_first_password: boolean
  has_passkey: boolean
  recovery_codes_left: number
}

export function readSignInOf(operatorId: bigint): pg.QueryConfig {
  return {
    text: `select o.password_changed_at is null as has_first_password,
        exists (select from admin.passkeys p where p.operator_id = o.id) as has_passkey,
        cardinality(o.recovery_hmacs) as recovery_codes_left
      from admin.operators o where o.id = $1`,
    values: [operatorId],
  }
}

export interface OwnLogInRow {
  id: string
  device: string
  address: string
  created_at: Date
  last_seen_at: Date
}

export function listOwnLogIns(
  operatorId: bigint,
  idleMinutes: number,
  limit: number,
): pg.QueryConfig {
  return {
    text: `select id, device, address, created_at, last_seen_at from admin.log_ins
      where operator_id = $1 and expires_at > now()
        and last_seen_at > now() - make_interval(mins => $2)
      order by created_at desc, id limit $3`,
    values: [operatorId, idleMinutes, limit],
  }
}

/** One of this operator's; nobody ends another's. */
export function deleteOwnLogIn(id: string, operatorId: bigint): pg.QueryConfig {
  return {
    text: 'delete from admin.log_ins where id = $1 and operator_id = $2 returning device, address',
    values: [id, operatorId],
  }
}

export function deleteOtherLogIns(id: string, operatorId: bigint): pg.QueryConfig {
  return {
    text: 'delete from admin.log_ins where operator_id = $2 and id <> $1',
    values: [id, operatorId],
  }
}

export function setOwnPassword(id: bigint, passwordHash: string): pg.QueryConfig {
  return {
    text: `update admin.operators set password_hash = $2, password_changed_at = now()
      where id = $1 and is_active returning id`,
    values: [id, passwordHash],
  }
}

/** Only with the key under which the authenticator still stands. */
export function setRecoveryCodes(
  id: bigint,
  keyId: string,
  hmacs: readonly Buffer[],
): pg.QueryConfig {
  return {
    text: `update admin.operators set recovery_hmacs = $3::bytea[], recovery_key_id = null
      where id = $1 and is_active and totp_key_id = $2 returning id`,
    values: [id, keyId, hmacs],
  }
}
