import type { Expired } from '../database/prune.ts'
import type { Statement } from '../database/statement.ts'

/** Returns when it expires. */
export function insertSession(
  tokenHash: Buffer,
  linkPublicId: string,
  parentOrigin: string | null,
  seconds: number,
): Statement<Date> {
  return {
    text: `insert into directory.widget_sessions (token_hash, link_public_id, parent_origin, expires_at)
      values ($1, $2, $3, now() + make_interval(secs => $4)) returning expires_at`,
    values: [tokenHash, linkPublicId, parentOrigin, seconds],
    read: (row: { expires_at: Date }) => row.expires_at,
  }
}

export interface FoundSession {
  clientId: string
  linkPublicId: string
  userId: bigint
  walletId: bigint
  parentOrigin: string | null
  /** Not expired, the person is still linked and has the same password, and the client app is active. */
  isLive: boolean
}

interface SessionRow {
  client_id: string
  link_public_id: string
  service_user_id: bigint
  wallet_id: bigint
  parent_origin: string | null
  is_live: boolean
}

/** Also finds expired sessions, for as long as they are kept. `seconds`: how long a session is valid. */
export function findSession(tokenHash: Buffer, seconds: number): Statement<FoundSession> {
  return {
    name: 'find-session',
    text: `select a.client_id, s.link_public_id, l.service_user_id, l.wallet_id, s.parent_origin,
        s.expires_at > now() and l.ended_at is null and a.is_active
          and coalesce(p.password_changed_at < s.expires_at - make_interval(secs => $2), true) as is_live
      from directory.widget_sessions s
      join directory.links l on l.public_id = s.link_public_id
      join directory.client_apps a on a.id = l.client_app_id
      left join directory.people p on p.service_user_id = l.service_user_id
      where s.token_hash = $1`,
    values: [tokenHash, seconds],
    read: (row: SessionRow) => ({
      clientId: row.client_id,
      linkPublicId: row.link_public_id,
      userId: row.service_user_id,
      walletId: row.wallet_id,
      parentOrigin: row.parent_origin,
      isLive: row.is_live,
    }),
  }
}

export function oldSessions(keptHours: number): Expired {
  const where = `expires_at < now() - make_interval(hours => ${keptHours})`
  return { table: 'directory.widget_sessions', where }
}
