/** Decides after each attempt whether and when the event is sent again. */
import type { Attempt } from './send-request.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
/** The time before each retry, about three days in total. */
export const RETRY_SECONDS = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const
/** Up to so much longer, so that the retries of many events do not arrive at once. */
const JITTER = 0.1
const GONE = 410

export interface Plan {
  isDelivered: boolean
  /** null: no further attempt. */
  retryInSeconds: number | null
  /** The receiver says that it does not want any events. */
  isGone: boolean
}

/** `failures`: how many attempts failed before this one. */
export function planRetry(
  { status, error, retryAfterSeconds }: Pick<Attempt, 'status' | 'error' | 'retryAfterSeconds'>,
  failures: number,
  random: () => number = Math.random,
): Plan {
  if (error === null) return { isDelivered: true, retryInSeconds: null, isGone: false }
  const seconds = RETRY_SECONDS[failures]
  if (seconds === undefined) {
    return { isDelivered: false, retryInSeconds: null, isGone: status === GONE }
  }
  const planned = seconds * (1 + JITTER * random())
  const retryInSeconds = Math.max(planned, retryAfterSeconds ?? 0)
  return { isDelivered: false, retryInSeconds, isGone: status === GONE }
}
