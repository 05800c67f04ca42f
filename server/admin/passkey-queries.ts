import type pg from 'pg'

export type Purpose = 'log_in' | 'confirm' | 'add'

export interface NewChallenge {
  challengeHash: Buffer
  purpose: Purpose
  /** Of the operator who asks; null at the door. */
  logInId: string | null
}

export function insertChallenge(challenge: NewChallenge, minutes: number): pg.QueryConfig {
  const { challengeHash, purpose, logInId } = challenge
  return {
    text: `insert into admin.passkey_challenges (challenge_hash, purpose, log_in_id, expires_at)
      values ($1, $2, $3, now() + make_interval(mins => $4))`,
    values: [challengeHash, purpose, logInId, minutes],
  }
}

/** Whoever gets the row has the challenge; nobody gets it twice. */
export function takeChallenge({ challengeHash, purpose, logInId }: NewChallenge): pg.QueryConfig {
  return {
    text: `delete from admin.passkey_challenges
      where challenge_hash = $1 and purpose = $2 and log_in_id is not distinct from $3::uuid
        and expires_at > now()
      returning purpose`,
    values: [challengeHash, purpose, logInId],
  }
}

export const DELETE_EXPIRED_CHALLENGES =
  'delete from admin.passkey_challenges where expires_at < now()'

export interface PasskeyRow {
  id: bigint
  operator_id: bigint
  email: string
  credential_id: Buffer
  public_key: Buffer
  name: string
}

/** Of an operator who may log in at all. */
export function findPasskey(credentialId: Buffer): pg.QueryConfig {
  return {
    text: `select p.id, p.operator_id, o.email, p.credential_id, p.public_key, p.name
      from admin.passkeys p join admin.operators o on o.id = p.operator_id
      where p.credential_id = $1 and o.is_active`,
    values: [credentialId],
  }
}

export interface ListedPasskeyRow {
  id: bigint
  credential_id: Buffer
  transports: string[]
  name: string
  created_at: Date
  last_used_at: Date | null
}

export function listPasskeys(operatorId: bigint): pg.QueryConfig {
  return {
    text: `select id, credential_id, transports, name, created_at, last_used_at
      from admin.passkeys where operator_id = $1 order by id`,
    values: [operatorId],
  }
}

export interface NewPasskey {
  operatorId: bigint
  credentialId: Buffer
  publicKey: Buffer
  signCount: number
  transports: readonly string[]
  name: string
}

/** Returns nothing if somebody has it already. */
export function insertPasskey(passkey: NewPasskey): pg.QueryConfig {
  const { operatorId, credentialId, publicKey, signCount, transports, name } = passkey
  return {
    text: `insert into admin.passkeys
        (operator_id, credential_id, public_key, sign_count, transports, name)
      values ($1, $2, $3, $4, $5::text[], $6) on conflict do nothing returning id`,
    values: [operatorId, credentialId, publicKey, signCount, transports, name],
  }
}

/** Returns nothing if its count did not grow: then two devices sign with the same key. */
export function usePasskey(id: bigint, signCount: number): pg.QueryConfig {
  return {
    text: `update admin.passkeys set sign_count = $2, last_used_at = now()
      where id = $1 and (sign_count < $2 or (sign_count = 0 and $2 = 0)) returning id`,
    values: [id, signCount],
  }
}

export function readSignCount(id: bigint): pg.QueryConfig {
  return { text: 'select sign_count from admin.passkeys where id = $1', values: [id] }
}

/** One of this operator's; nobody removes another's. */
export function deletePasskey(id: bigint, operatorId: bigint): pg.QueryConfig {
  return {
    text: 'delete from admin.passkeys where id = $1 and operator_id = $2 returning name',
    values: [id, operatorId],
  }
}

export function deletePasskeysOf(operatorId: bigint): pg.QueryConfig {
  return { text: 'delete from admin.passkeys where operator_id = $1', values: [operatorId] }
}
