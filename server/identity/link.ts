/**
 * Links between people and client apps. Each link has its own random id, so that ids differ per app and per linking.
 */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { createLoader } from '../database/create-loader.ts'
import { many, one, run } from '../database/statement.ts'
import { ServiceError } from '../service-error.ts'
import { findLinks, findLinked, findLinksAt, type FoundLink } from './link-queries.ts'
import { endLinks, findLiveLink, insertLink } from './link-queries.ts'

const PREFIX = 'su_'

export function toServiceUserId(publicId: string): string {
  return PREFIX + publicId.replaceAll('-', '')
}

/**
 * Every link is created here, after a consent, a sign-up or a verified address. Linking twice returns the same
 * serviceUserId, also concurrently. `passwordHash`: the one that the person logged in with, if they did. If it has
 * changed, or the person was deleted, there is no link.
 */
export async function link(
  db: pg.Pool,
  clientAppId: bigint,
  userId: bigint,
  passwordHash: string | null = null,
): Promise<string> {
  const newId = randomBytes(16).toString('hex')
  const written = await run(db, insertLink(newId, clientAppId, userId, passwordHash))
  const found = await one(db, findLiveLink(clientAppId, userId))
  if (written !== 1 || found === undefined) throw new ServiceError('LOGIN_FAILED')
  return toServiceUserId(found.publicId)
}

/** Returns the number of links that it ended. */
export function unlink(db: pg.Pool, clientAppId: bigint, userId: bigint): Promise<number> {
  return run(db, endLinks(userId, clientAppId, 'user'))
}

export interface Link {
  walletId: bigint
  /** False after an unlink; such a link only serves to recognize repeated requests. */
  isLive: boolean
}

/** Finds the link behind a serviceUserId, only for the app that it belongs to. */
export type FindLink = (clientAppId: bigint, serviceUserId: string) => Promise<Link | undefined>

/**
 * For each operation: the serviceUserId that the owner of its wallet had at that time in the app with this ledger
 * account.
 */
export type FindIdsAt = (
  ledgerAccount: number,
  operations: readonly { walletId: bigint; createdAtMs: number }[],
) => Promise<string[]>

/** Whether the owner of the wallet is linked to the client app now. */
export type IsLinked = (clientAppId: bigint, walletId: bigint) => Promise<boolean>

export function createIdFinder(db: pg.Pool): FindIdsAt {
  return async (ledgerAccount, operations) => {
    if (operations.length === 0) return []
    const publicIds = await many(db, findLinksAt(ledgerAccount, operations))
    return publicIds.map((publicId) => {
      // Links are never deleted, not even when the person is.
      if (publicId === null) throw new Error('The wallet was never linked to this client app.')
      return toServiceUserId(publicId)
    })
  }
}

export function createLinkChecker(db: pg.Pool): IsLinked {
  const check = createLoader<string, true>(
    async (keys) => {
      const linked = await many(db, findLinked(keys.map((key) => key.split(' ').map(BigInt))))
      return new Map(linked.map((key) => [key.join(' '), true]))
    },
    { batchMax: 256, concurrency: 2 },
  )
  return async (clientAppId, walletId) => (await check(`${clientAppId} ${walletId}`)) === true
}

export function createLinkFinder(db: pg.Pool): FindLink {
  const find = createLoader<string, FoundLink>(
    async (ids) => {
      const links = await many(db, findLinks(ids))
      return new Map(links.map((each) => [each.publicId.replaceAll('-', ''), each]))
    },
    { batchMax: 256, concurrency: 2 },
  )
  return async (clientAppId, serviceUserId) => {
    const id = serviceUserId.slice(PREFIX.length)
    if (!serviceUserId.startsWith(PREFIX) || !/^[0-9a-f]{32}$/.test(id)) return undefined
    const found = await find(id)
    if (found === undefined || found.clientAppId !== clientAppId) return undefined
    return { walletId: found.walletId, isLive: found.isLive }
  }
}
