/** Detects an overloaded process by a frequent timer that fires late. */
const EVERY_MS = 50
const LATE_MS = 500

export class EventLoopDelay {
  #tickMs: number
  /** The last two delays: a single delay is not an overload. */
  #delays = { last: 0, before: 0 }

  constructor(nowMs: number) {
    this.#tickMs = nowMs
  }

  tick(nowMs: number) {
    this.#delays = { last: nowMs - this.#tickMs - EVERY_MS, before: this.#delays.last }
    this.#tickMs = nowMs
  }

  get isBusy(): boolean {
    return Math.min(this.#delays.last, this.#delays.before) > LATE_MS
  }
}

export function watchEventLoop(): () => boolean {
  const delay = new EventLoopDelay(performance.now())
  setInterval(() => delay.tick(performance.now()), EVERY_MS).unref()
  return () => delay.isBusy
}
