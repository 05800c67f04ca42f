/** Detects an overloaded process by a frequent timer that fires late. */
const EVERY_MS = 50
const LATE_MS = 500

export class Lateness {
  #rungMs: number
  /** The last two delays: a single delay is not an overload. */
  #late = { last: 0, before: 0 }

  constructor(nowMs: number) {
    this.#rungMs = nowMs
  }

  ring(nowMs: number) {
    this.#late = { last: nowMs - this.#rungMs - EVERY_MS, before: this.#late.last }
    this.#rungMs = nowMs
  }

  get isBusy(): boolean {
    return Math.min(this.#late.last, this.#late.before) > LATE_MS
  }
}

export function watchEventLoop(): () => boolean {
  const lateness = new Lateness(performance.now())
  setInterval(() => lateness.ring(performance.now()), EVERY_MS).unref()
  return () => lateness.isBusy
}
