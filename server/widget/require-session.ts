import { SESSION_KEPT_HOURS, SESSION_SECONDS } from '@coffer/contract/limits'
import type pg from 'pg'
import type { Context } from '../context.ts'
import { prune } from '../database/prune.ts'
import { one } from '../database/statement.ts'
import { toServiceUserId } from '../identity/link.ts'
import type { ClientApp, ClientAppCache } from '../client-app/client-app-cache.ts'
import { ServiceError } from '../service-error.ts'
import { hashToken } from './create-session.ts'
import { oldSessions, findSession } from './queries.ts'

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
  clientApps: ClientAppCache
}

/**
 * Checked at every call: the token, its expiry, the client app, that the person is still linked to it and has not
 * changed the password, and the rate, which is one limit for all endpoints of the session.
 */
export async function requireSession(
  tools: SessionTools & Pick<Context, 'throttles'>,
  token: unknown,
): Promise<Session> {
  if (typeof token !== 'string' || !TOKEN.test(token)) throw new ServiceError('INVALID_SESSION')
  const found = await findSessionByToken(tools, token)
  if (!found?.isLive) throw new ServiceError('SESSION_EXPIRED')
  if (!tools.throttles.mayCallWidgetApi(token)) throw new ServiceError('RATE_LIMITED')
  return found.session
}

/** The session behind a token, also if it has expired: expired sessions are kept for a day. */
export async function findSessionByToken(
  { db, clientApps }: SessionTools,
  token: string,
): Promise<{ session: Session; isLive: boolean } | undefined> {
  if (!TOKEN.test(token)) return undefined
  const found = await one(db, findSession(hashToken(token), SESSION_SECONDS))
  const clientApp = found && (await clientApps.find(found.clientId))
  if (found === undefined || clientApp === undefined) return undefined
  const { userId, walletId, parentOrigin } = found
  const serviceUserId = toServiceUserId(found.linkPublicId)
  return {
    isLive: found.isLive && clientApp.isActive,
    session: { clientApp, userId, serviceUserId, walletId, parentOrigin },
  }
}

export function pruneSessions(db: pg.Pool): Promise<number> {
  return prune(db, oldSessions(SESSION_KEPT_HOURS))
}
