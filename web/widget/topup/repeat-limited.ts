import type { Result } from '../../ui/request.ts'

const ATTEMPTS = 4
/** Other limits are for hours, and the person needs to know. */
const WAIT_MAX_SECONDS = 5

/** Repeats a rate-limited call after the time in Retry-After, if that is a few seconds at most. */
export async function repeatLimited<Output>(
  call: () => Promise<Result<Output>>,
): Promise<Result<Output>> {
  for (let attempt = 1; ; attempt++) {
    const result = await call()
    const isLimited = !result.ok && !result.offline && result.status === 429
    if (!isLimited || attempt === ATTEMPTS) return result
    const seconds = Math.max(1, result.retryAfterSeconds ?? 1)
    if (seconds > WAIT_MAX_SECONDS) return result
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  }
}
