import type { Result } from '../ui/request.ts'

const ATTEMPTS = 4

/** Repeats a read that came too soon after others, when the service says that it may. */
export async function repeatLimited<Output>(
  read: () => Promise<Result<Output>>,
): Promise<Result<Output>> {
  for (let attempt = 1; ; attempt++) {
    const result = await read()
    const isLimited = !result.ok && !result.offline && result.status === 429
    if (!isLimited || attempt === ATTEMPTS) return result
    const seconds = Math.max(1, result.retryAfterSeconds ?? 1)
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  }
}
