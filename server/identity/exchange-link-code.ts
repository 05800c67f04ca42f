/** One-time codes that prove a link to the client app's backend. Only their hashes are stored. */
import { hash, randomBytes } from 'node:crypto'
import { LINK_CODE_SECONDS } from '@coffer/contract/limits'
import type pg from 'pg'
import { ServiceError } from '../service-error.ts'
import { toServiceUserId } from './link.ts'
import { DELETE_EXPIRED_LINK_CODES, findLinkCode, insertLinkCode } from './queries.ts'

export async function issueLinkCode(db: pg.Pool, serviceUserId: string): Promise<string> {
  const linkCode = `lc_${randomBytes(24).toString('hex')}`
  await db.query(insertLinkCode(hashCode(linkCode), serviceUserId.slice(3), LINK_CODE_SECONDS))
  return linkCode
}

/** The same code answers the same for its whole life, so that a lost answer is no dead end. */
export async function exchangeLinkCode(db: pg.Pool, clientAppId: bigint, linkCode: string) {
  const { rows } = await db.query<{ public_id: string }>(
    findLinkCode(hashCode(linkCode), clientAppId),
  )
  if (rows[0] === undefined) throw new ServiceError('LINK_CODE_INVALID')
  return { serviceUserId: toServiceUserId(rows[0].public_id) }
}

export async function pruneLinkCodes(db: pg.Pool): Promise<void> {
  await db.query(DELETE_EXPIRED_LINK_CODES)
}

function hashCode(linkCode: string): Buffer {
  return hash('sha256', linkCode, 'buffer')
}
