import type { Expired } from '../database/prune.ts'
import type { Statement } from '../database/statement.ts'

export interface TokenLease {
  keyHash: Buffer
  /** How many tokens the bucket holds, and how many it gets back per second. */
  most: number
  perSecond: number
  /** How many tokens are wanted. */
  portion: number
  /** How many the process has used before its first query. */
  spent: number
}

/** What the bucket `r` contains now, minus the tokens that were used before its first query. */
const FREE = `greatest(0, least($2::float8,
  r.tokens + greatest(0, extract(epoch from clock_timestamp() - r.refilled_at)) * $3::float8) - $5::float8)`

/**
 * Returns how many tokens the process gets; no row: none is left, and nothing is written. Processes that take tokens
 * from the same bucket wait for each other, so the clock is read after the lock was obtained.
 */
export function takeTokens({
  keyHash,
  most,
  perSecond,
  portion,
  spent,
}: TokenLease): Statement<number> {
  return {
    name: 'take-tokens',
    text: `insert into directory.rate_limits as r (key_hash, tokens, leased, refilled_at)
      values ($1, greatest(0, $2::float8 - $5::float8 - $4::float8),
        floor(greatest(0, least($4::float8, $2::float8 - $5::float8))), clock_timestamp())
      on conflict (key_hash) do update set (tokens, leased, refilled_at) = (
        select b.free - floor(least($4::float8, b.free)), floor(least($4::float8, b.free)), clock_timestamp()
        from (select ${FREE} as free) b
      ) where ${FREE} >= 1
      returning leased`,
    values: [keyHash, most, perSecond, portion, spent],
    read: (row: { leased: number }) => row.leased,
  }
}

/** Every bucket is full again after an hour. */
export const OLD_RATE_LIMITS: Expired = {
  table: 'directory.rate_limits',
  where: `refilled_at < now() - interval '2 hours'`,
}
