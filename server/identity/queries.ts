import type { Language } from '@coffer/contract/languages'
import type pg from 'pg'
import type { Expired } from '../database/prune.ts'
import type { Statement } from '../database/statement.ts'

export function insertServiceUser(walletId: bigint): Statement<bigint> {
  return {
    text: 'insert into directory.service_users (wallet_id) values ($1) returning id',
    values: [walletId],
    read: (row: { id: bigint }) => row.id,
  }
}

export interface NewPerson {
  firstName: string
  lastName: string
  email: string
  /** null: the person cannot log in. */
  passwordHash?: string | null
  isVerified?: boolean
  language?: Language | null
}

export function insertPerson(userId: bigint, person: NewPerson): pg.QueryConfig {
  return {
    text: `insert into directory.people (service_user_id, first_name, last_name, email, password_hash, email_verified_at,
        language)
      values ($1, $2, $3, $4, $5, case when $6::boolean then now() end, $7)`,
    values: [
      userId,
      person.firstName,
      person.lastName,
      person.email,
      person.passwordHash ?? null,
      person.isVerified ?? false,
      person.language ?? null,
    ],
  }
}

export interface Person {
  userId: bigint
  firstName: string
  lastName: string
  email: string
  /** null: the person cannot log in. */
  passwordHash: string | null
  isVerified: boolean
  /** null: not since the account was created. */
  passwordChangedAt: Date | null
  /** null: that of the browser. */
  language: Language | null
}

interface PersonRow {
  service_user_id: bigint
  first_name: string
  last_name: string
  email: string
  password_hash: string | null
  email_verified_at: Date | null
  password_changed_at: Date | null
  language: Language | null
}
const PERSON =
  'service_user_id, first_name, last_name, email, password_hash, email_verified_at, password_changed_at, language'

function readPerson(row: PersonRow): Person {
  return {
    userId: row.service_user_id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    passwordHash: row.password_hash,
    isVerified: row.email_verified_at !== null,
    passwordChangedAt: row.password_changed_at,
    language: row.language,
  }
}

export function findPerson(userId: bigint): Statement<Person> {
  return {
    name: 'find-person',
    text: `select ${PERSON} from directory.people where service_user_id = $1`,
    values: [userId],
    read: readPerson,
  }
}

export function findPersonByEmail(email: string): Statement<Person> {
  return {
    name: 'find-person-by-email',
    text: `select ${PERSON} from directory.people where lower(email) = lower($1)`,
    values: [email],
    read: readPerson,
  }
}

/** Waits for other changes of the person. */
export function lockPerson(
  userId: bigint,
): Statement<{ email: string; isVerified: boolean; language: Language | null }> {
  return {
    text: `select email, email_verified_at is not null as is_verified, language
      from directory.people where service_user_id = $1 for update`,
    values: [userId],
    read: (row: { email: string; is_verified: boolean; language: Language | null }) => ({
      email: row.email,
      isVerified: row.is_verified,
      language: row.language,
    }),
  }
}

/** Returns no row if the person cannot log in. A change of the person waits for the end of the transaction. */
export function lockForLogIn(userId: bigint): Statement<Person> {
  return {
    text: `select ${PERSON} from directory.people
      where service_user_id = $1 and password_hash is not null for share`,
    values: [userId],
    read: readPerson,
  }
}

/** `currentHash`: changes nothing if the password is no longer this one. */
export function setPassword(
  userId: bigint,
  passwordHash: string,
  currentHash: string | null = null,
): pg.QueryConfig {
  return {
    text: `update directory.people set password_hash = $2, password_changed_at = clock_timestamp()
      where service_user_id = $1 and ($3::text is null or password_hash = $3)`,
    values: [userId, passwordHash, currentHash],
  }
}

export function markVerified(userId: bigint): pg.QueryConfig {
  return {
    text: `update directory.people set email_verified_at = coalesce(email_verified_at, now())
      where service_user_id = $1`,
    values: [userId],
  }
}

export function endLogIns(userId: bigint): pg.QueryConfig {
  return {
    text: 'delete from directory.log_ins where service_user_id = $1',
    values: [userId],
  }
}

/**
 * Called when access ends, because somebody who knew the password may have switched it on. A charge that is open is not
 * made once the terms are deleted.
 */
export function deleteAutomaticTopup(userId: bigint): pg.QueryConfig {
  return {
    text: 'delete from directory.automatic_topups where service_user_id = $1',
    values: [userId],
  }
}

export function readAppName(clientAppId: bigint): Statement<string> {
  return {
    text: 'select name from directory.client_apps where id = $1',
    values: [clientAppId],
    read: (row: { name: string }) => row.name,
  }
}

/** Inserts nothing if the password is no longer the given one. */
export function insertLinkCode(
  codeHash: Buffer,
  publicId: string,
  challenge: Buffer,
  seconds: number,
  passwordHash: string | null,
): pg.QueryConfig {
  return {
    text: `insert into directory.link_codes (code_hash, link_public_id, challenge, expires_at)
      select $1, l.public_id, $3, now() + make_interval(secs => $4)
      from directory.links l join directory.people p on p.service_user_id = l.service_user_id
      where l.public_id = $2 and ($5::text is null or p.password_hash = $5) for share of p`,
    values: [codeHash, publicId, challenge, seconds, passwordHash],
  }
}

interface FoundLinkCode {
  publicId: string
  challenge: Buffer
}

/** Returns the code of a live link of this app, if it has not expired by the database's clock. */
export function findLinkCode(codeHash: Buffer, clientAppId: bigint): Statement<FoundLinkCode> {
  return {
    text: `select l.public_id, c.challenge
      from directory.link_codes c join directory.links l on l.public_id = c.link_public_id
      where c.code_hash = $1 and c.expires_at > now() and l.client_app_id = $2 and l.ended_at is null`,
    values: [codeHash, clientAppId],
    read: (row: { public_id: string; challenge: Buffer }) => ({
      publicId: row.public_id,
      challenge: row.challenge,
    }),
  }
}

/** The codes of all links of a person. Codes live for two minutes, so there are few to read. */
export function deleteLinkCodes(userId: bigint): pg.QueryConfig {
  return {
    text: `delete from directory.link_codes c using directory.links l
      where l.public_id = c.link_public_id and l.service_user_id = $1 and l.ended_at is null`,
    values: [userId],
  }
}

export const EXPIRED_LINK_CODES: Expired = {
  table: 'directory.link_codes',
  where: 'expires_at < now()',
}
