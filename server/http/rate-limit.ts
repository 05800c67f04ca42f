import { keepRecent } from './keep-recent.ts'

/**
 * Whether one more call is allowed for this key. It counts as `calls`: 0 only checks the limit. If that is more than the
 * bucket holds, the bucket must be full, and it owes the rest.
 */
export type RateLimit = (key: string, calls?: number) => boolean

/**
 * A token bucket per key that holds `count` tokens and refills steadily within `seconds`. When the table is full, the
 * least recently used bucket is removed; the others keep their state.
 */
export function createRateLimit(count: number, seconds = 1, keysMax?: number): RateLimit {
  const buckets = keepRecent<{ tokens: number; atMs: number }>(keysMax)
  const perMs = count / (seconds * 1000)
  return (key, calls = 1) => {
    const nowMs = performance.now()
    let bucket = buckets.get(key)
    if (bucket === undefined) {
      bucket = { tokens: count, atMs: nowMs }
      buckets.set(key, bucket)
    }
    bucket.tokens = Math.min(count, bucket.tokens + (nowMs - bucket.atMs) * perMs)
    bucket.atMs = nowMs
    if (bucket.tokens < Math.max(1, Math.min(calls, count))) return false
    bucket.tokens -= calls
    return true
  }
}
