import { SESSION_KEPT_HOURS } from '@coffer/contract/limits'
import type pg from 'pg'
import { toServiceUserId } from '../identity/link.ts'
import type { ClientApp, RememberedClientApps } from '../client-app/remember-client-apps.ts'
import { ServiceError } from '../service-error.ts'
import { hashToken } from './create-session.ts'
import { deleteOldSessions, findSession, type SessionRow } from './queries.ts'

const TOKEN = /^ws_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export interface Session {
  clientApp: ClientApp
  userId: bigint
  serviceUserId: string
  walletId: bigint
  parentOrigin: string | null
}

export interface SessionTools {
  db: pg.Pool
  clientApps: RememberedClientApps
}

/** Checked at every call: the token, its time, the client app, and that the person is still linked to it. */
export async function requireSession(tools: SessionTools, token: unknown): Promise<Session> {
  if (typeof token !== 'string' || !TOKEN.test(token)) throw new ServiceError('INVALID_SESSION')
  const found = await recallSession(tools, token)
  if (!found?.isLive) throw new ServiceError('SESSION_EXPIRED')
  return found.session
}

/** Whose session it is or was. An expired one is remembered for a day. */
export async function recallSession(
  { db, clientApps }: SessionTools,
  token: string,
): Promise<{ session: Session; isLive: boolean } | undefined> {
  if (!TOKEN.test(token)) return undefined
  const { rows } = await db.query<SessionRow>(findSession(hashToken(token)))
  const [row] = rows
  const clientApp = row && (await clientApps.find(row.client_id))
  if (row === undefined || clientApp === undefined) return undefined
  return {
    isLive: row.is_live && clientApp.isActive,
    session: {
      clientApp,
      userId: row.service_user_id,
      serviceUserId: toServiceUserId(row.link_public_id),
      walletId: row.wallet_id,
      parentOrigin: row.parent_origin,
    },
  }
}

export async function pruneSessions(db: pg.Pool): Promise<void> {
  await db.query(deleteOldSessions(SESSION_KEPT_HOURS))
}
