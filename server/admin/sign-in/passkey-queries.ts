import type { Statement } from '../../database/statement.ts'

export type Purpose = 'log_in' | 'confirm' | 'add'

export interface NewChallenge {
  challengeHash: Buffer
  purpose: Purpose
  /** The login that the challenge belongs to; null before the operator is logged in. */
  logInId: string | null
}

export function insertChallenge(challenge: NewChallenge, minutes: number) {
  const { challengeHash, purpose, logInId } = challenge
  return {
    text: `insert into admin.passkey_challenges (challenge_hash, purpose, log_in_id, expires_at)
      values ($1, $2, $3, now() + make_interval(mins => $4))`,
    values: [challengeHash, purpose, logInId, minutes],
  }
}

/** Deletes the challenge, so that only one response can use it. */
export function takeChallenge({ challengeHash, purpose, logInId }: NewChallenge) {
  return {
    text: `delete from admin.passkey_challenges
      where challenge_hash = $1 and purpose = $2 and log_in_id is not distinct from $3::uuid
        and expires_at > now()
      returning purpose`,
    values: [challengeHash, purpose, logInId],
  }
}

export interface Passkey {
  id: bigint
  operatorId: bigint
  email: string
  publicKey: Buffer
  name: string
}

interface PasskeyRow {
  id: bigint
  operator_id: bigint
  email: string
  public_key: Buffer
  name: string
}

/** Returns no row if the operator is inactive. */
export function findPasskey(credentialId: Buffer): Statement<Passkey> {
  return {
    text: `select p.id, p.operator_id, o.email, p.public_key, p.name
      from admin.passkeys p join admin.operators o on o.id = p.operator_id
      where p.credential_id = $1 and o.is_active`,
    values: [credentialId],
    read: ({ id, operator_id: operatorId, email, public_key: publicKey, name }: PasskeyRow) => ({
      id,
      operatorId,
      email,
      publicKey,
      name,
    }),
  }
}

export interface ListedPasskey {
  id: bigint
  credentialId: Buffer
  transports: string[]
  name: string
  createdAt: Date
  lastUsedAt: Date | null
}

interface ListedPasskeyRow {
  id: bigint
  credential_id: Buffer
  transports: string[]
  name: string
  created_at: Date
  last_used_at: Date | null
}

export function listPasskeys(operatorId: bigint): Statement<ListedPasskey> {
  return {
    text: `select id, credential_id, transports, name, created_at, last_used_at
      from admin.passkeys where operator_id = $1 order by id`,
    values: [operatorId],
    read: (row: ListedPasskeyRow) => ({
      id: row.id,
      credentialId: row.credential_id,
      transports: row.transports,
      name: row.name,
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
    }),
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

/** Inserts no row if the credential is already registered. */
export function insertPasskey(passkey: NewPasskey) {
  const { operatorId, credentialId, publicKey, signCount, transports, name } = passkey
  return {
    text: `insert into admin.passkeys
        (operator_id, credential_id, public_key, sign_count, transports, name)
      values ($1, $2, $3, $4, $5::text[], $6) on conflict do nothing returning id`,
    values: [operatorId, credentialId, publicKey, signCount, transports, name],
  }
}

/** Changes no row if the signature count did not increase: then two devices have the same key. */
export function usePasskey(id: bigint, signCount: number) {
  return {
    text: `update admin.passkeys set sign_count = $2, last_used_at = now()
      where id = $1 and (sign_count < $2 or (sign_count = 0 and $2 = 0)) returning id`,
    values: [id, signCount],
  }
}

export function readSignCount(id: bigint): Statement<number> {
  return {
    text: 'select sign_count from admin.passkeys where id = $1',
    values: [id],
    read: (row: { sign_count: bigint }) => Number(row.sign_count),
  }
}

/** Returns no row if the passkey belongs to another operator. */
export function deletePasskey(id: bigint, operatorId: bigint): Statement<{ name: string }> {
  return {
    text: 'delete from admin.passkeys where id = $1 and operator_id = $2 returning name',
    values: [id, operatorId],
    read: ({ name }: { name: string }) => ({ name }),
  }
}
