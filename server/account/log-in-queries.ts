import type { Language } from '@coffer/contract/languages'
import type pg from 'pg'
import type { Expired } from '../database/prune.ts'
import type { Statement } from '../database/statement.ts'
import type { Person } from '../identity/queries.ts'

/** Inserts nothing if the password is no longer the one that the person logged in with. */
export function insertLogIn(
  tokenHash: Buffer,
  { userId, passwordHash }: Pick<Person, 'userId' | 'passwordHash'>,
  device: string,
  hours: number,
): pg.QueryConfig {
  return {
    text: `insert into directory.log_ins (token_hash, service_user_id, device, expires_at)
      select $1, service_user_id, $3, now() + make_interval(hours => $4)
      from directory.people where service_user_id = $2 and password_hash = $5 for share`,
    values: [tokenHash, userId, device, hours, passwordHash],
  }
}

export interface LoggedIn {
  logInId: string
  userId: bigint
  walletId: bigint
  firstName: string
  lastName: string
  email: string
  language: Language | null
}

interface LogInRow {
  id: string
  service_user_id: bigint
  wallet_id: bigint
  first_name: string
  last_name: string
  email: string
  language: Language | null
  is_stale: boolean
}

/** `isStale`: the stored time of the last use is more than a minute old. */
export function findLogIn(
  tokenHash: Buffer,
  idleMinutes: number,
): Statement<{ person: LoggedIn; isStale: boolean }> {
  return {
    name: 'find-log-in',
    text: `select i.id, i.service_user_id, u.wallet_id, p.first_name, p.last_name, p.email, p.language,
        i.last_seen_at < now() - interval '1 minute' as is_stale
      from directory.log_ins i
      join directory.service_users u on u.id = i.service_user_id
      join directory.people p on p.service_user_id = i.service_user_id
      where i.token_hash = $1 and i.expires_at > now()
        and i.last_seen_at > now() - make_interval(mins => $2)`,
    values: [tokenHash, idleMinutes],
    read: (row: LogInRow) => ({
      person: {
        logInId: row.id,
        userId: row.service_user_id,
        walletId: row.wallet_id,
        firstName: row.first_name,
        lastName: row.last_name,
        email: row.email,
        language: row.language,
      },
      isStale: row.is_stale,
    }),
  }
}

export function findLogInById(id: string): pg.QueryConfig {
  return {
    text: 'select from directory.log_ins where id = $1',
    values: [id],
  }
}

export function touchLogIn(id: string): pg.QueryConfig {
  return {
    name: 'touch-log-in',
    text: 'update directory.log_ins set last_seen_at = now() where id = $1',
    values: [id],
  }
}

export interface ListedLogIn {
  id: string
  device: string
  createdAt: Date
  lastSeenAt: Date
}

interface ListedLogInRow {
  id: string
  device: string
  created_at: Date
  last_seen_at: Date
}

export function listLogIns(userId: bigint, idleMinutes: number): Statement<ListedLogIn> {
  return {
    name: 'list-log-ins',
    text: `select id, device, created_at, last_seen_at from directory.log_ins
      where service_user_id = $1 and expires_at > now()
        and last_seen_at > now() - make_interval(mins => $2)
      order by last_seen_at desc, id`,
    values: [userId, idleMinutes],
    read: (row: ListedLogInRow) => ({
      id: row.id,
      device: row.device,
      createdAt: row.created_at,
      lastSeenAt: row.last_seen_at,
    }),
  }
}

export function deleteLogInByToken(tokenHash: Buffer): pg.QueryConfig {
  return {
    text: 'delete from directory.log_ins where token_hash = $1',
    values: [tokenHash],
  }
}

/** Only a login of this person. */
export function deleteLogIn(id: string, userId: bigint): pg.QueryConfig {
  return {
    text: 'delete from directory.log_ins where id = $1 and service_user_id = $2',
    values: [id, userId],
  }
}

export function deleteOtherLogIns(id: string, userId: bigint): pg.QueryConfig {
  return {
    text: 'delete from directory.log_ins where service_user_id = $2 and id <> $1',
    values: [id, userId],
  }
}

export const EXPIRED_LOG_INS: Expired = { table: 'directory.log_ins', where: 'expires_at < now()' }
