/** Links between people and client apps. The id of a link is random and another one in every app and after every unlink. */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { coalesce } from '../database/coalesce.ts'
import { endLink, findLinks, findLiveLink, insertLink, type LinkRow } from './queries.ts'

const PREFIX = 'su_'

export function toServiceUserId(publicId: string): string {
  return PREFIX + publicId.replaceAll('-', '')
}

/** Linking twice gives the same serviceUserId, also when both happen at once. */
export async function link(db: pg.Pool, clientAppId: bigint, userId: bigint): Promise<string> {
  await db.query(insertLink(randomBytes(16).toString('hex'), clientAppId, userId))
  const { rows } = await db.query<{ public_id: string }>(findLiveLink(clientAppId, userId))
  if (rows[0] === undefined) throw new Error('there is no such user, or the link was ended at once')
  return toServiceUserId(rows[0].public_id)
}

export async function unlink(db: pg.Pool, clientAppId: bigint, userId: bigint): Promise<void> {
  await db.query(endLink(clientAppId, userId))
}

export interface Link {
  walletId: bigint
  /** False after an unlink: it then only helps to recognise a repeat. */
  isLive: boolean
}

/** Finds the link behind a serviceUserId, for the app that it belongs to and for no other. */
export type FindLink = (clientAppId: bigint, serviceUserId: string) => Promise<Link | undefined>

export function createLinkFinder(db: pg.Pool): FindLink {
  const find = coalesce<string, LinkRow>(
    async (ids) => {
      const { rows } = await db.query<LinkRow>(findLinks(ids))
      return new Map(rows.map((row) => [row.public_id.replaceAll('-', ''), row]))
    },
    { most: 256, atOnce: 2 },
  )
  return async (clientAppId, serviceUserId) => {
    const id = serviceUserId.slice(PREFIX.length)
    if (!serviceUserId.startsWith(PREFIX) || !/^[0-9a-f]{32}$/.test(id)) return undefined
    const row = await find(id)
    if (row === undefined || row.client_app_id !== clientAppId) return undefined
    return { walletId: row.wallet_id, isLive: row.is_live }
  }
}
