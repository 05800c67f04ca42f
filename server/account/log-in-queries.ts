import type pg from 'pg'

export function insertLogIn(
  tokenHash: Buffer,
  userId: bigint,
  device: string,
  hours: number,
): pg.QueryConfig {
  return {
    text: `insert into directory.log_ins (token_hash, service_user_id, device, expires_at)
      values ($1, $2, $3, now() + make_interval(hours => $4))`,
    values: [tokenHash, userId, device, hours],
  }
}

export interface LogInRow {
  id: string
  service_user_id: bigint
  wallet_id: bigint
  first_name: string
  last_name: string
  email: string
  is_worth_noting: boolean
}

export function findLogIn(tokenHash: Buffer, idleMinutes: number): pg.QueryConfig {
  return {
    name: 'find-log-in',
    text: `select i.id, i.service_user_id, u.wallet_id, p.first_name, p.last_name, p.email,
        i.last_seen_at < now() - interval '1 minute' as is_worth_noting
      from directory.log_ins i
      join directory.service_users u on u.id = i.service_user_id
      join directory.people p on p.service_user_id = i.service_user_id
      where i.token_hash = $1 and i.expires_at > now()
        and i.last_seen_at > now() - make_interval(mins => $2)`,
    values: [tokenHash, idleMinutes],
  }
}

export function noteLogIn(id: string): pg.QueryConfig {
  return {
    name: 'note-log-in',
    text: 'update directory.log_ins set last_seen_at = now() where id = $1',
    values: [id],
  }
}

export interface ListedLogInRow {
  id: string
  device: string
  created_at: Date
  last_seen_at: Date
}

export function listLogIns(userId: bigint, idleMinutes: number): pg.QueryConfig {
  return {
    name: 'list-log-ins',
    text: `select id, device, created_at, last_seen_at from directory.log_ins
      where service_user_id = $1 and expires_at > now()
        and last_seen_at > now() - make_interval(mins => $2)
      order by last_seen_at desc, id`,
    values: [userId, idleMinutes],
  }
}

export function deleteLogInByToken(tokenHash: Buffer): pg.QueryConfig {
  return {
    text: 'delete from directory.log_ins where token_hash = $1',
    values: [tokenHash],
  }
}

/** One of this person's; nobody ends another's. */
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

export const DELETE_EXPIRED_LOG_INS = 'delete from directory.log_ins where expires_at < now()'
