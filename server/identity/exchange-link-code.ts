/**
 * One-time codes that prove a link to the client app's backend. Only their hashes are stored.
 *
 * A code that is issued for a challenge belongs to the browser and the app user that hold its verifier: the app's
 * backend keeps the verifier in the user's session and sends it with the code. Without that, somebody else's code works
 * in any session of the app.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { LINK_CODE_SECONDS } from '@coffer/contract/limits'
import type pg from 'pg'
import type { Context } from '../context.ts'
import { prune } from '../database/prune.ts'
import { one, run } from '../database/statement.ts'
import { ServiceError } from '../service-error.ts'
import { toServiceUserId } from './link.ts'
import { EXPIRED_LINK_CODES, findLinkCode, insertLinkCode, type FoundLinkCode } from './queries.ts'

interface NewLinkCode {
  /** SHA-256 of the verifier that the app's backend keeps, if it keeps one. */
  challenge?: string | null | undefined
  /** The one that the person logged in with, if they did. */
  passwordHash?: string | null
}

export async function issueLinkCode(
  db: pg.Pool,
  serviceUserId: string,
  { challenge, passwordHash = null }: NewLinkCode = {},
): Promise<string> {
  const linkCode = `lc_${randomBytes(24).toString('hex')}`
  const bytes = challenge ? Buffer.from(challenge, 'base64url') : null
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
  verifier?: string | undefined
}

interface ExchangingApp {
  id: bigint
  clientId: string
  requiresLinkProof: boolean
}

/**
 * The same request gets the same response until the code expires, so that a client can retry after a lost response. Any
 * other attempt is refused and logged, because it may be somebody who uses the code of another user.
 */
export async function exchangeLinkCode(
  { db, log }: Pick<Context, 'db' | 'log'>,
  clientApp: ExchangingApp,
  { linkCode, verifier }: ExchangeInput,
) {
  const { clientId, requiresLinkProof } = clientApp
  if (requiresLinkProof && verifier === undefined) {
    log.warn({ clientId, reason: 'verifier_missing' }, 'link code refused')
    throw new ServiceError('LINK_PROOF_REQUIRED')
  }
  const found = await one(db, findLinkCode(hashCode(linkCode), clientApp.id))
  const reason = found ? faultOfProof(found, verifier) : 'code_invalid'
  if (found === undefined || reason !== undefined) {
    log.warn({ clientId, reason }, 'link code refused')
    throw new ServiceError('LINK_CODE_INVALID')
  }
  return { serviceUserId: toServiceUserId(found.publicId) }
}

function faultOfProof({ challenge }: FoundLinkCode, verifier: string | undefined) {
  if (challenge === null) return verifier === undefined ? undefined : 'challenge_missing'
  if (verifier === undefined) return 'verifier_missing'
  const isRight = timingSafeEqual(hash('sha256', verifier, 'buffer'), challenge)
  return isRight ? undefined : 'verifier_wrong'
}

export function pruneLinkCodes(db: pg.Pool): Promise<number> {
  return prune(db, EXPIRED_LINK_CODES)
}

function hashCode(linkCode: string): Buffer {
  return hash('sha256', linkCode, 'buffer')
}
