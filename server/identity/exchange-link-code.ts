/**
 * One-time codes that prove a link to the client app's backend. Only their hashes are stored.
 *
 * A code belongs to the browser and the app user that hold the verifier of its challenge: the app's backend keeps the
 * verifier in the user's session and sends it with the code. Without that, somebody else's code would work in any
 * session of the app.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { LINK_CODE_SECONDS } from '@coffer/contract/limits'
import type pg from 'pg'
import type { Context } from '../context.ts'
import { prune } from '../database/prune.ts'
import { one, run } from '../database/statement.ts'
import { ServiceError } from '../service-error.ts'
import { toServiceUserId } from './link.ts'
import { EXPIRED_LINK_CODES, findLinkCode, insertLinkCode } from './queries.ts'

/**
 * `challenge`: SHA-256 of the verifier that the app's backend keeps. `passwordHash`: the one that the person logged in
 * with, if they did.
 */
export async function issueLinkCode(
  db: pg.Pool,
  serviceUserId: string,
  challenge: string,
  passwordHash: string | null = null,
): Promise<string> {
  const linkCode = `lc_${randomBytes(24).toString('hex')}`
  const bytes = Buffer.from(challenge, 'base64url')
  const publicId = serviceUserId.slice(3)
  const inserted = await run(
    db,
    insertLinkCode(hashCode(linkCode), publicId, bytes, LINK_CODE_SECONDS, passwordHash),
  )
  if (inserted !== 1) throw new ServiceError('LOGIN_FAILED')
  return linkCode
}

export interface ExchangeInput {
  linkCode: string
  verifier: string
}

/**
 * The same request gets the same response until the code expires, so that a client can retry after a lost response. Any
 * other attempt is refused and logged, because it may be somebody who uses the code of another user.
 */
export async function exchangeLinkCode(
  { db, log }: Pick<Context, 'db' | 'log'>,
  { id, clientId }: { id: bigint; clientId: string },
  { linkCode, verifier }: ExchangeInput,
) {
  const found = await one(db, findLinkCode(hashCode(linkCode), id))
  const isProven = found && timingSafeEqual(hash('sha256', verifier, 'buffer'), found.challenge)
  if (!isProven) {
    log.warn({ clientId, reason: found ? 'verifier_wrong' : 'code_invalid' }, 'link code refused')
    throw new ServiceError('LINK_CODE_INVALID')
  }
  return { serviceUserId: toServiceUserId(found.publicId) }
}

export function pruneLinkCodes(db: pg.Pool): Promise<number> {
  return prune(db, EXPIRED_LINK_CODES)
}

function hashCode(linkCode: string): Buffer {
  return hash('sha256', linkCode, 'buffer')
}
