/** The limits on attempts: the waits that grow per account, and the sign-ups of a network. */

const FREE_ATTEMPTS = 5
const WAIT_MAX_SECONDS = 300
const DAY_MS = 24 * 60 * 60_000
export const SIGN_UPS_PER_HOUR = 4
const SIGN_UP_MS = 3_600_000 / SIGN_UPS_PER_HOUR

/** What is counted together: logins per account and caller, emails per mailbox. */
export type AttemptKind = 'log-in' | 'mail' | 'reset' | 'notice'

/** After five attempts, each one that is made doubles the wait, up to five minutes. */
export class Attempts {
  readonly #counts = new Map<string, { made: number; atMs: number; untilMs: number }>()

  /** Counts the attempt; a number of seconds: it is refused and not counted. */
  make(nowMs: number, kind: AttemptKind, email: string, caller = ''): number | undefined {
    const key = keyOf(kind, email, caller)
    const { made, untilMs } = this.#counts.get(key) ?? { made: 0, untilMs: nowMs }
    if (untilMs > nowMs) return (untilMs - nowMs) / 1000
    const waitSeconds =
      made < FREE_ATTEMPTS ? 0 : Math.min(WAIT_MAX_SECONDS, 2 ** (made - FREE_ATTEMPTS))
    this.#counts.set(key, { made: made + 1, atMs: nowMs, untilMs: nowMs + 1000 * waitSeconds })
    return undefined
  }

  /** Whether some caller has to wait. */
  isAnybodyWaiting(nowMs: number, kind: AttemptKind, email: string): boolean {
    const start = keyOf(kind, email, '')
    return [...this.#counts].some(([key, { untilMs }]) => key.startsWith(start) && untilMs > nowMs)
  }

  clear(kind: AttemptKind, email: string, caller = '') {
    this.#counts.delete(keyOf(kind, email, caller))
  }

  /** The maintenance deletes a count a day after its wait. */
  prune(nowMs: number) {
    for (const [key, { untilMs }] of this.#counts) {
      if (untilMs < nowMs - DAY_MS) this.#counts.delete(key)
    }
  }

  *boundaries(): Generator<number> {
    for (const { atMs, untilMs } of this.#counts.values()) {
      if (untilMs > atMs) yield untilMs
      yield untilMs + DAY_MS
    }
  }
}

function keyOf(kind: AttemptKind, email: string, caller: string): string {
  return `${kind} ${email.toLowerCase()} ${caller}`
}

/** A bucket per network that fills up within an hour. */
export class SignUps {
  readonly #buckets = new Map<string, { left: number; atMs: number; wasEmpty: boolean }>()

  /** Whether one more is allowed. */
  take(nowMs: number, network: string): boolean {
    const bucket = this.#read(nowMs, network)
    // A process keeps an empty bucket in memory by a clock that a plan does not move.
    if (bucket.wasEmpty || bucket.left < 1) bucket.wasEmpty = true
    else bucket.left--
    this.#buckets.set(network, bucket)
    return !bucket.wasEmpty
  }

  #read(nowMs: number, network: string) {
    const bucket = this.#buckets.get(network)
    if (bucket === undefined) return { left: SIGN_UPS_PER_HOUR, atMs: nowMs, wasEmpty: false }
    const left = Math.min(SIGN_UPS_PER_HOUR, bucket.left + (nowMs - bucket.atMs) / SIGN_UP_MS)
    return { ...bucket, left, atMs: nowMs }
  }

  *boundaries(): Generator<number> {
    for (const { left, atMs } of this.#buckets.values()) {
      for (let whole = Math.floor(left) + 1; whole <= SIGN_UPS_PER_HOUR; whole++) {
        yield atMs + (whole - left) * SIGN_UP_MS
      }
    }
  }
}
