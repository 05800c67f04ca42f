/**
 * Limits how many requests may wait, so that an accepted request gets its response soon. A queue of fixed length is
 * too short for a fast database and too long for a slow one: every request would wait until its deadline.
 */
export interface QueueLimitOptions {
  lanes: number
  batchMax: number
  /** The upper limit, however fast the database is. */
  capacity: number
}

export interface BatchTime {
  size: number
  durationMs: number
  isSide: boolean
}

/** How long an accepted request should wait at most. */
const WAIT_MS = 500
/** Older measurements are ignored. */
const FRESH_MS = 60_000

export class QueueLimit {
  readonly #options: QueueLimitOptions
  /** The last two well-filled batches: requests per millisecond, and when. */
  #seen: { speed: number; atMs: number }[] = []

  constructor(options: QueueLimitOptions) {
    this.#options = options
  }

  /**
   * Small batches are ignored, because a larger batch takes about the same time. Batches of a side lane are ignored,
   * because they wait for locks. The faster of the last two batches counts, so that a single slow batch does not
   * shrink the queue.
   */
  observe({ size, durationMs, isSide }: BatchTime, nowMs: number) {
    if (isSide || size < this.#options.batchMax / 4) return
    this.#seen = [...this.#seen.slice(-1), { speed: size / durationMs, atMs: nowMs }]
  }

  /**
   * As many requests as the database executes within WAIT_MS. Never less than one batch per lane: if a batch is slow
   * whatever its size, a shorter queue would not make it faster.
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

/** A smaller batch shows that few requests arrive. */
const BUSY_SIZE = 32
const GATHER_MS = 3

/** How long a lane should wait for more requests after this batch: a small part of the time that a batch takes. */
export function gatherMs({ size, durationMs }: BatchTime): number {
  if (size < BUSY_SIZE) return 0
  return Math.min(GATHER_MS, Math.floor(durationMs / 3))
}
