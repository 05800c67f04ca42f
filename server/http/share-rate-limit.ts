/**
 * A rate limit that all processes share. The bucket of a key is in the database; a process leases a few tokens at a time
 * and remembers for how long the bucket is empty, so most requests need no query.
 */
import { createHmac } from 'node:crypto'
import type pg from 'pg'
import type { NamedKey } from '../config.ts'
import { prune } from '../database/prune.ts'
import { one } from '../database/statement.ts'
import { createLruMap } from './rate-limit.ts'
import { leaseTokens, OLD_RATE_LIMITS } from './rate-limit-queries.ts'

/** Whether one more call is allowed for this key. The call is counted. */
export type SharedRateLimit = (key: string) => boolean | Promise<boolean>

export interface SharedLimitOptions {
  db: pg.Pool
  pepper: NamedKey
  /** Distinguishes the buckets of several limits. */
  name: string
  count: number
  seconds: number
  /** The first call of a key in each process needs no lease, so that a flood of different keys costs no queries. */
  isFirstFree: boolean
  keysMax?: number
}

/** The part of a bucket that a process leases at once. */
const PORTIONS = 5

interface LeasedTokens {
  tokens: number
  /** When the tokens expire. By then the bucket in the database has refilled. */
  untilMs: number
  /** Tokens used without a lease; the next lease subtracts them. */
  spent: number
  emptyUntilMs: number
  leasing: Promise<void> | undefined
}

export function shareRateLimit(options: SharedLimitOptions): SharedRateLimit {
  const { db, pepper, name, count, seconds, isFirstFree, keysMax } = options
  const perSecond = count / seconds
  const portion = Math.max(1, Math.ceil(count / PORTIONS))
  const entries = createLruMap<LeasedTokens>(keysMax)

  function find(key: string): LeasedTokens {
    const known = entries.get(key)
    if (known !== undefined) return known
    const entry = { tokens: 0, untilMs: 0, spent: 0, emptyUntilMs: 0, leasing: undefined }
    entries.set(key, entry)
    return entry
  }

  async function lease(key: string, entry: LeasedTokens) {
    const { spent } = entry
    const keyHash = createHmac('sha256', pepper.key).update(`coffer limit ${name} ${key}`).digest()
    const leased = await one(db, leaseTokens({ keyHash, most: count, perSecond, portion, spent }))
    const nowMs = performance.now()
    entry.tokens = leased ?? 0
    entry.untilMs = nowMs + (portion / perSecond) * 1000
    if (leased !== undefined) entry.spent -= spent
    if (entry.tokens < 1) entry.emptyUntilMs = nowMs + 1000 / perSecond
  }

  /** undefined: a lease is needed to know. */
  function takeLeased(entry: LeasedTokens): boolean | undefined {
    const nowMs = performance.now()
    if (entry.tokens >= 1 && nowMs < entry.untilMs) {
      entry.tokens -= 1
      return true
    }
    return nowMs < entry.emptyUntilMs ? false : undefined
  }

  async function leaseAndTake(key: string, entry: LeasedTokens): Promise<boolean> {
    for (;;) {
      const taken = takeLeased(entry)
      if (taken !== undefined) return taken
      entry.leasing ??= lease(key, entry).finally(() => (entry.leasing = undefined))
      await entry.leasing
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
    return takeLeased(entry) ?? leaseAndTake(key, entry)
  }
}

export function pruneRateLimits({ db }: { db: pg.Pool }): Promise<number> {
  return prune(db, OLD_RATE_LIMITS)
}
