import type pg from 'pg'

export function insertSession(
  tokenHash: Buffer,
  linkPublicId: string,
  parentOrigin: string | null,
  seconds: number,
): pg.QueryConfig {
  return {
    text: `insert into directory.widget_sessions (token_hash, link_public_id, parent_origin, expires_at)
      values ($1, $2, $3, now() + make_interval(secs => $4)) returning expires_at`,
    values: [tokenHash, linkPublicId, parentOrigin, seconds],
  }
}

export interface SessionRow {
  client_id: string
  link_public_id: string
  service_user_id: bigint
  wallet_id: bigint
  parent_origin: string | null
  expires_at: Date
  is_live: boolean
}

/** Also one that has expired, for as long as it is kept; the link decides as much as the clock. */
export function findSession(tokenHash: Buffer): pg.QueryConfig {
  return {
    name: 'find-session',
    text: `select a.client_id, s.link_public_id, l.service_user_id, l.wallet_id, s.parent_origin, s.expires_at,
        s.expires_at > now() and l.ended_at is null and a.is_active as is_live
      from directory.widget_sessions s
      join directory.links l on l.public_id = s.link_public_id
      join directory.client_apps a on a.id = l.client_app_id
      where s.token_hash = $1`,
    values: [tokenHash],
  }
}

export function deleteOldSessions(keptHours: number): pg.QueryConfig {
  return {
    text: 'delete from directory.widget_sessions where expires_at < now() - make_interval(hours => $1)',
    values: [keptHours],
  }
}
