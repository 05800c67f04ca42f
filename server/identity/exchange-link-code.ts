/** One-time codes that prove a link to the client app's backend. Only their hashes are stored. */
import { hash, randomBytes } from 'node:crypto'
import { LINK_CODE_SECONDS } from '@coffer/contract/limits'
import type pg from 'pg'
import { prune } from '../database/prune.ts'
import { one, run } from '../database/statement.ts'
import { ServiceError } from '../service-error.ts'
import { toServiceUserId } from './link.ts'
import { EXPIRED_LINK_CODES, findLinkCode, insertLinkCode } from './queries.ts'

/** `passwordHash`: the one that the person logged in with, if they did. */
export async function issueLinkCode(
  db: pg.Pool,
  serviceUserId: string,
  passwordHash: string | null = null,
): Promise<string> {
  const linkCode = `lc_${randomBytes(24).toString('hex')}`
  const publicId = serviceUserId.slice(3)
  const inserted = await run(
    db,
    insertLinkCode(hashCode(linkCode), publicId, LINK_CODE_SECONDS, passwordHash),
  )
  if (inserted !== 1) throw new ServiceError('LOGIN_FAILED')
  return linkCode
}

/** A code can be exchanged repeatedly until it expires, so that a client can retry after a lost response. */
export async function exchangeLinkCode(db: pg.Pool, clientAppId: bigint, linkCode: string) {
  const publicId = await one(db, findLinkCode(hashCode(linkCode), clientAppId))
  if (publicId === undefined) throw new ServiceError('LINK_CODE_INVALID')
  return { serviceUserId: toServiceUserId(publicId) }
}

export function pruneLinkCodes(db: pg.Pool): Promise<number> {
  return prune(db, EXPIRED_LINK_CODES)
}

function hashCode(linkCode: string): Buffer {
  return hash('sha256', linkCode, 'buffer')
}
