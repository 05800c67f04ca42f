/**
 * A rate limit that all processes share. The bucket of a key is in the database; a process takes a few tokens at a time
 * and remembers for how long the bucket is empty, so most requests need no query.
 */
import { createHmac } from 'node:crypto'
import type pg from 'pg'
import type { NamedKey } from '../config.ts'
import { prune } from '../database/prune.ts'
import { one } from '../database/statement.ts'
import { createLruMap } from './rate-limit.ts'
import { takeTokens, OLD_RATE_LIMITS } from './rate-limit-queries.ts'

/** Whether one more call is allowed for this key. The call is counted. */
export type SharedRateLimit = (key: string) => boolean | Promise<boolean>

export interface SharedLimitOptions {
  db: pg.Pool
  pepper: NamedKey
  /** Distinguishes the buckets of several limits. */
  name: string
  count: number
  seconds: number
  /** The first call of a key in each process needs no query, so that a flood of different keys costs no queries. */
  isFirstFree: boolean
  keysMax?: number
}

/** The part of a bucket that a process takes at once. */
const PORTIONS = 5

interface LocalTokens {
  tokens: number
  /** When the tokens expire. By then the bucket in the database has refilled. */
  untilMs: number
  /** Tokens used before the first query; the next query subtracts them. */
  spent: number
  emptyUntilMs: number
  fetching: Promise<void> | undefined
}

export function shareRateLimit(options: SharedLimitOptions): SharedRateLimit {
  const { db, pepper, name, count, seconds, isFirstFree, keysMax } = options
  const perSecond = count / seconds
  const portion = Math.max(1, Math.ceil(count / PORTIONS))
  const entries = createLruMap<LocalTokens>(keysMax)

  function find(key: string): LocalTokens {
    const known = entries.get(key)
    if (known !== undefined) return known
    const entry = { tokens: 0, untilMs: 0, spent: 0, emptyUntilMs: 0, fetching: undefined }
    entries.set(key, entry)
    return entry
  }

  async function fetchTokens(key: string, entry: LocalTokens) {
    const { spent } = entry
    const keyHash = createHmac('sha256', pepper.key).update(`coffer limit ${name} ${key}`).digest()
    const fetched = await one(db, takeTokens({ keyHash, most: count, perSecond, portion, spent }))
    const nowMs = performance.now()
    entry.tokens = fetched ?? 0
    entry.untilMs = nowMs + (portion / perSecond) * 1000
    if (fetched !== undefined) entry.spent -= spent
    if (entry.tokens < 1) entry.emptyUntilMs = nowMs + 1000 / perSecond
  }

  /** undefined: a query is needed to know. */
  function takeLocal(entry: LocalTokens): boolean | undefined {
    const nowMs = performance.now()
    if (entry.tokens >= 1 && nowMs < entry.untilMs) {
      entry.tokens -= 1
      return true
    }
    return nowMs < entry.emptyUntilMs ? false : undefined
  }

  async function fetchAndTake(key: string, entry: LocalTokens): Promise<boolean> {
    for (;;) {
      const taken = takeLocal(entry)
      if (taken !== undefined) return taken
      entry.fetching ??= fetchTokens(key, entry).finally(() => (entry.fetching = undefined))
      await entry.fetching
    }
  }

  return (key) => {
    if (count < 1) return false
    const isNew = !entries.has(key)
    const entry = find(key)
    if (isNew && isFirstFree) {
      entry.spent = 1
      return true
    }
    return takeLocal(entry) ?? fetchAndTake(key, entry)
  }
}

export function pruneRateLimits({ db }: { db: pg.Pool }): Promise<number> {
  return prune(db, OLD_RATE_LIMITS)
}
