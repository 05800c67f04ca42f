import type { Expired } from '../../database/prune.ts'
import type { Statement } from '../../database/statement.ts'
import type { RegisteredKey } from './verify-passkey.ts'

/** Operators and people have the same tables in different schemas. */
export interface PasskeyOwners {
  schema: 'admin' | 'directory'
  /** The column of the owner. */
  column: 'operator_id' | 'service_user_id'
}
export const OPERATORS: PasskeyOwners = { schema: 'admin', column: 'operator_id' }
export const PEOPLE: PasskeyOwners = { schema: 'directory', column: 'service_user_id' }

export type Purpose = 'log_in' | 'widget' | 'confirm' | 'add'

export interface NewChallenge {
  owners: PasskeyOwners
  challengeHash: Buffer
  purpose: Purpose
  /** The login that the challenge belongs to; null before the login. */
  logInId: string | null
}

export function insertChallenge(challenge: NewChallenge, minutes: number) {
  const { owners, challengeHash, purpose, logInId } = challenge
  return {
    text: `insert into ${owners.schema}.passkey_challenges (challenge_hash, purpose, log_in_id, expires_at)
      values ($1, $2, $3, now() + make_interval(mins => $4))`,
    values: [challengeHash, purpose, logInId, minutes],
  }
}

/** Deletes the challenge, so that only one response can use it. */
export function takeChallenge({ owners, challengeHash, purpose, logInId }: NewChallenge) {
  return {
    text: `delete from ${owners.schema}.passkey_challenges
      where challenge_hash = $1 and purpose = $2 and log_in_id is not distinct from $3::uuid
        and expires_at > now()
      returning purpose`,
    values: [challengeHash, purpose, logInId],
  }
}

export const EXPIRED_CHALLENGES: Expired = {
  table: 'directory.passkey_challenges',
  where: 'expires_at < now()',
}

export interface PersonPasskey {
  id: bigint
  userId: bigint
  publicKey: Buffer
  name: string
}

export function findPersonPasskey(credentialId: Buffer): Statement<PersonPasskey> {
  return {
    text: `select id, service_user_id, public_key, name from directory.passkeys
      where credential_id = $1`,
    values: [credentialId],
    read: (row: { id: bigint; service_user_id: bigint; public_key: Buffer; name: string }) => ({
      id: row.id,
      userId: row.service_user_id,
      publicKey: row.public_key,
      name: row.name,
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

export function listPasskeys(owners: PasskeyOwners, ownerId: bigint): Statement<ListedPasskey> {
  return {
    text: `select id, credential_id, transports, name, created_at, last_used_at
      from ${owners.schema}.passkeys where ${owners.column} = $1 order by id`,
    values: [ownerId],
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

export interface NewPasskey extends RegisteredKey {
  ownerId: bigint
  transports: readonly string[]
  name: string
}

/** Inserts no row if the credential is already registered. */
export function insertPasskey(owners: PasskeyOwners, passkey: NewPasskey) {
  const { ownerId, credentialId, publicKey, signCount, transports, name } = passkey
  return {
    text: `insert into ${owners.schema}.passkeys
        (${owners.column}, credential_id, public_key, sign_count, transports, name)
      values ($1, $2, $3, $4, $5::text[], $6) on conflict do nothing returning id`,
    values: [ownerId, credentialId, publicKey, signCount, transports, name],
  }
}

/** Changes no row if the signature count did not increase: then two devices have the same key. */
export function usePasskey({ schema }: PasskeyOwners, id: bigint, signCount: number) {
  return {
    text: `update ${schema}.passkeys set sign_count = $2, last_used_at = now()
      where id = $1 and (sign_count < $2 or (sign_count = 0 and $2 = 0)) returning id`,
    values: [id, signCount],
  }
}

export function readSignCount({ schema }: PasskeyOwners, id: bigint): Statement<number> {
  return {
    text: `select sign_count from ${schema}.passkeys where id = $1`,
    values: [id],
    read: (row: { sign_count: bigint }) => Number(row.sign_count),
  }
}

/** Changes no row if the passkey was removed in the meantime. */
export function markCopied(id: bigint) {
  return { text: 'update directory.passkeys set copied_at = now() where id = $1', values: [id] }
}

export interface OwnPasskey {
  id: bigint
  name: string
  createdAt: Date
  lastUsedAt: Date | null
  /** When somebody last used a copy of it; null: never. */
  copiedAt: Date | null
}

interface OwnPasskeyRow {
  id: bigint
  name: string
  created_at: Date
  last_used_at: Date | null
  copied_at: Date | null
}

/** For the person who has them. */
export function listOwnPasskeys(userId: bigint): Statement<OwnPasskey> {
  return {
    name: 'list-own-passkeys',
    text: `select id, name, created_at, last_used_at, copied_at from directory.passkeys
      where service_user_id = $1 order by id`,
    values: [userId],
    read: (row: OwnPasskeyRow) => ({
      id: row.id,
      name: row.name,
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
      copiedAt: row.copied_at,
    }),
  }
}

/** Returns no row if the passkey belongs to somebody else. */
export function deletePasskey(
  owners: PasskeyOwners,
  id: bigint,
  ownerId: bigint,
): Statement<{ name: string }> {
  return {
    text: `delete from ${owners.schema}.passkeys where id = $1 and ${owners.column} = $2 returning name`,
    values: [id, ownerId],
    read: ({ name }: { name: string }) => ({ name }),
  }
}

/** Changes no row if the passkey belongs to somebody else. */
export function renamePasskey(id: bigint, userId: bigint, name: string) {
  return {
    text: 'update directory.passkeys set name = $3 where id = $1 and service_user_id = $2',
    values: [id, userId, name],
  }
}

export function deletePasskeysOf(userId: bigint) {
  return { text: 'delete from directory.passkeys where service_user_id = $1', values: [userId] }
}
