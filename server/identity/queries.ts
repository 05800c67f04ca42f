import type pg from 'pg'
import { uuidArray } from '../database/binary-array.ts'

export function insertServiceUser(walletId: bigint): pg.QueryConfig {
  return {
    text: 'insert into directory.service_users (wallet_id) values ($1) returning id',
    values: [walletId],
  }
}

export interface Person {
  firstName: string
  lastName: string
  email: string
  /** null: somebody who cannot log in. */
  passwordHash?: string | null
  isVerified?: boolean
}

export function insertPerson(serviceUserId: bigint, person: Person): pg.QueryConfig {
  return {
    text: `insert into directory.people (service_user_id, first_name, last_name, email, password_hash, email_verified_at)
      values ($1, $2, $3, $4, $5, case when $6::boolean then now() end)`,
    values: [
      serviceUserId,
      person.firstName,
      person.lastName,
      person.email,
      person.passwordHash ?? null,
      person.isVerified ?? false,
    ],
  }
}

export interface PersonRow {
  service_user_id: bigint
  first_name: string
  last_name: string
  email: string
  password_hash: string | null
  email_verified_at: Date | null
}
const PERSON = 'service_user_id, first_name, last_name, email, password_hash, email_verified_at'

export function findPerson(serviceUserId: bigint): pg.QueryConfig {
  return {
    name: 'find-person',
    text: `select ${PERSON} from directory.people where service_user_id = $1`,
    values: [serviceUserId],
  }
}

export function findPersonByEmail(email: string): pg.QueryConfig {
  return {
    name: 'find-person-by-email',
    text: `select ${PERSON} from directory.people where lower(email) = lower($1)`,
    values: [email],
  }
}

export function setPassword(serviceUserId: bigint, passwordHash: string): pg.QueryConfig {
  return {
    text: 'update directory.people set password_hash = $2 where service_user_id = $1',
    values: [serviceUserId, passwordHash],
  }
}

export function markVerified(serviceUserId: bigint): pg.QueryConfig {
  return {
    text: `update directory.people set email_verified_at = coalesce(email_verified_at, now())
      where service_user_id = $1`,
    values: [serviceUserId],
  }
}

export function endLogIns(serviceUserId: bigint): pg.QueryConfig {
  return {
    text: 'delete from directory.log_ins where service_user_id = $1',
    values: [serviceUserId],
  }
}

/**
 * Links once: if the person has a live link to the app already, nothing is inserted. Who is being erased at this
 * moment is waited for, and then gone.
 */
export function insertLink(
  publicId: string,
  clientAppId: bigint,
  serviceUserId: bigint,
): pg.QueryConfig {
  return {
    text: `insert into directory.links (public_id, client_app_id, service_user_id, wallet_id)
      select $1, $2, u.id, u.wallet_id
      from directory.people p join directory.service_users u on u.id = p.service_user_id
      where p.service_user_id = $3 for key share of p
      on conflict (service_user_id, client_app_id) where ended_at is null do nothing`,
    values: [publicId, clientAppId, serviceUserId],
  }
}

export function findLiveLink(clientAppId: bigint, serviceUserId: bigint): pg.QueryConfig {
  return {
    text: `select public_id from directory.links
      where client_app_id = $1 and service_user_id = $2 and ended_at is null`,
    values: [clientAppId, serviceUserId],
  }
}

export function endLink(clientAppId: bigint, serviceUserId: bigint): pg.QueryConfig {
  return {
    text: `update directory.links set ended_at = now()
      where client_app_id = $1 and service_user_id = $2 and ended_at is null`,
    values: [clientAppId, serviceUserId],
  }
}

export interface LinkRow {
  public_id: string
  client_app_id: bigint
  wallet_id: bigint
  is_live: boolean
}

export function findLinks(publicIds: readonly string[]): pg.QueryConfig {
  return {
    name: 'find-links',
    text: `select public_id, client_app_id, wallet_id, ended_at is null as is_live
      from directory.links where public_id = any($1::uuid[])`,
    values: [uuidArray(publicIds)],
  }
}

export function insertLinkCode(
  codeHash: Buffer,
  publicId: string,
  seconds: number,
): pg.QueryConfig {
  return {
    text: `insert into directory.link_codes (code_hash, link_public_id, expires_at)
      values ($1, $2, now() + make_interval(secs => $3))`,
    values: [codeHash, publicId, seconds],
  }
}

/** Only a code that is fresh by the database's clock, for a link of this app that is still alive. */
export function findLinkCode(codeHash: Buffer, clientAppId: bigint): pg.QueryConfig {
  return {
    text: `select l.public_id from directory.link_codes c join directory.links l on l.public_id = c.link_public_id
      where c.code_hash = $1 and c.expires_at > now() and l.client_app_id = $2 and l.ended_at is null`,
    values: [codeHash, clientAppId],
  }
}

/** The codes of all links of a person. Codes live for two minutes, so there are few to read. */
export function deleteLinkCodes(serviceUserId: bigint): pg.QueryConfig {
  return {
    text: `delete from directory.link_codes c using directory.links l
      where l.public_id = c.link_public_id and l.service_user_id = $1 and l.ended_at is null`,
    values: [serviceUserId],
  }
}

export const DELETE_EXPIRED_LINK_CODES = 'delete from directory.link_codes where expires_at < now()'
