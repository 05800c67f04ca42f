/** More names than this are forgotten, so that inventing them does not fill the memory. */
const NAMES_MAX = 100_000

/** Whether one more may pass. It is counted, unless `isCounted` is false. */
export type RateLimit = (name: string, isCounted?: boolean) => boolean

/** A bucket per name that holds `count` and refills steadily within `seconds`. */
export function createRateLimit(count: number, seconds = 1): RateLimit {
  const buckets = new Map<string, { tokens: number; atMs: number }>()
  const perMs = count / (seconds * 1000)
  return (name, isCounted = true) => {
    const nowMs = performance.now()
    let bucket = buckets.get(name)
    if (bucket === undefined) {
      if (buckets.size >= NAMES_MAX) buckets.clear()
      bucket = { tokens: count, atMs: nowMs }
      buckets.set(name, bucket)
    }
    bucket.tokens = Math.min(count, bucket.tokens + (nowMs - bucket.atMs) * perMs)
    bucket.atMs = nowMs
    if (bucket.tokens < 1) return false
    if (isCounted) bucket.tokens -= 1
    return true
  }
}
