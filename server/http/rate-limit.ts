import { LRUCache } from 'lru-cache'

/** Holds `count` tokens, and gets them back steadily within `seconds`. It begins full. */
export class TokenBucket {
  readonly #count: number
  readonly #perMs: number
  #tokens: number
  #atMs = performance.now()

  constructor(count: number, seconds = 1) {
    this.#count = count
    this.#perMs = count / (seconds * 1000)
    this.#tokens = count
  }

  /**
   * Returns how many milliseconds to wait. 0: the tokens are taken. With 0 tokens, it takes nothing and returns when
   * one is available. A request for more tokens than the bucket can hold needs a full bucket and makes it negative.
   */
  take(tokens = 1): number {
    const nowMs = performance.now()
    this.#tokens = Math.min(this.#count, this.#tokens + (nowMs - this.#atMs) * this.#perMs)
    this.#atMs = nowMs
    const missing = Math.max(1, Math.min(tokens, this.#count)) - this.#tokens
    if (missing > 0) return missing / this.#perMs
    this.#tokens -= tokens
    return 0
  }
}

/** Whether one more call is allowed for this key. It counts as `calls`: 0 only checks the limit. */
export type RateLimit = (key: string, calls?: number) => boolean

/**
 * A token bucket per key. When the table is full, the least recently used bucket is removed; the others keep their
 * state.
 */
export function createRateLimit(count: number, seconds = 1, keysMax?: number): RateLimit {
  const buckets = createLruMap<TokenBucket>(keysMax)
  return (key, calls = 1) => {
    let bucket = buckets.get(key)
    if (bucket === undefined) {
      bucket = new TokenBucket(count, seconds)
      buckets.set(key, bucket)
    }
    return bucket.take(calls) === 0
  }
}

/** A map that keeps only the most recently used entries, so that invented keys cannot fill the memory. */
const KEYS_MAX = 100_000

export function createLruMap<Value extends object>(keysMax = KEYS_MAX): LRUCache<string, Value> {
  // With `max`, each cache would take the memory of all its entries at once.
  return new LRUCache({ maxSize: keysMax, sizeCalculation: () => 1 })
}
