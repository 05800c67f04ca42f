/** A bucket per name that holds one second's worth of requests and refills steadily. */
export function createRateLimit(perSecond: number): (name: string) => boolean {
  const buckets = new Map<string, { tokens: number; atMs: number }>()
  return (name) => {
    const nowMs = performance.now()
    let bucket = buckets.get(name)
    if (bucket === undefined) {
      bucket = { tokens: perSecond, atMs: nowMs }
      buckets.set(name, bucket)
    }
    const refill = ((nowMs - bucket.atMs) / 1000) * perSecond
    bucket.tokens = Math.min(perSecond, bucket.tokens + refill)
    bucket.atMs = nowMs
    if (bucket.tokens < 1) return false
    bucket.tokens -= 1
    return true
  }
}
