import { hash, randomUUID } from 'node:crypto'
import { SESSION_SECONDS } from '@coffer/contract/limits'
import type { ClientApp } from '../client-app/client-app-cache.ts'
import type { Context } from '../context.ts'
import { one } from '../database/statement.ts'
import { ServiceError } from '../service-error.ts'
import { insertSession } from './queries.ts'

/** A token that shows one linked wallet for five minutes, by the database's clock. Only its hash is stored. */
export async function createSession(
  { db, findLink }: Context,
  clientApp: ClientApp,
  input: { serviceUserId: string; parentOrigin?: string | undefined },
) {
  const { serviceUserId, parentOrigin } = input
  if (parentOrigin !== undefined && !clientApp.allowedIframeParents.includes(parentOrigin)) {
    throw new ServiceError('ORIGIN_NOT_ALLOWED')
  }
  const link = await findLink(clientApp.id, serviceUserId)
  if (!link?.isLive) throw new ServiceError('USER_NOT_FOUND')
  const sessionToken = `ws_${randomUUID()}`
  const tokenHash = hashToken(sessionToken)
  const publicId = serviceUserId.slice(3)
  const session = insertSession(tokenHash, publicId, parentOrigin ?? null, SESSION_SECONDS)
  const expiresAt = (await one(db, session)) as Date
  return { sessionToken, expiresAt: expiresAt.toISOString() }
}

export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
