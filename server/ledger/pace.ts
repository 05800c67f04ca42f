/**
 * How many requests may be under way at once, so that whoever is let in is answered soon. A queue of fixed length is
 * short for a fast database and endless for a slow one: everybody would wait until the deadline and be answered just
 * before it, or after it.
 */
export interface PaceOptions {
  lanes: number
  batchMax: number
  /** However fast the database is. */
  capacity: number
}

/** What is let in should be answered within this time. */
const WAIT_MS = 500
/** What was seen longer ago says nothing about now. */
const FRESH_MS = 60_000

export class Pace {
  readonly #options: PaceOptions
  /** Of the last two batches that were well filled: requests per millisecond, and when. */
  #seen: { speed: number; atMs: number }[] = []

  constructor(options: PaceOptions) {
    this.#options = options
  }

  /**
   * Small batches tell nothing: with more to carry, a lane carries more in the same time. And one slow batch between
   * fast ones is a moment's trouble; after it those who waited are answered quickly.
   */
  observe({ size, durationMs }: { size: number; durationMs: number }, nowMs: number) {
    if (size < this.#options.batchMax / 4) return
    this.#seen = [...this.#seen.slice(-1), { speed: size / durationMs, atMs: nowMs }]
  }

  /**
   * What the database does in the time that anybody should wait. Never less than a whole batch: where it takes long
   * whatever is in it, fewer requests would not be answered sooner.
   */
  roomAt(nowMs: number): number {
    const { lanes, batchMax, capacity } = this.#options
    const fresh = this.#seen.filter(({ atMs }) => nowMs - atMs < FRESH_MS)
    if (fresh.length === 0) return capacity
    const speed = Math.max(...fresh.map((each) => each.speed))
    const room = Math.max(batchMax, speed * WAIT_MS) * lanes
    return Math.min(capacity, Math.floor(room))
  }
}
