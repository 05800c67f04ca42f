/**
 * Compares real time with the order of a wallet. An operation confirmed before another one was sent must come before it;
 * operations that overlapped may have either order.
 */
export interface Moment {
  seq: number
  sentMs: number
  /** Infinity: there was never a response. */
  respondedMs: number
}

/** The seqs after which something can have happened, both included. */
export interface Window {
  least: number
  most: number
}

export class Order {
  readonly #last: number
  /** Sorted by the time of the response, with the highest seq so far. */
  readonly #respondedMs: Float64Array
  readonly #highest: Uint32Array
  /** Sorted by the time of sending, with the lowest seq from there on. */
  readonly #sentMs: Float64Array
  readonly #lowest: Uint32Array

  constructor(moments: readonly Moment[]) {
    const byResponse = moments.toSorted((a, b) => compare(a.respondedMs, b.respondedMs))
    const bySending = moments.toSorted((a, b) => compare(a.sentMs, b.sentMs))
    this.#last = moments.reduce((most, { seq }) => Math.max(most, seq), 0)
    this.#respondedMs = Float64Array.from(byResponse, ({ respondedMs }) => respondedMs)
    this.#sentMs = Float64Array.from(bySending, ({ sentMs }) => sentMs)
    let highest = 0
    this.#highest = Uint32Array.from(byResponse, ({ seq }) => (highest = Math.max(highest, seq)))
    let lowest = this.#last + 1
    this.#lowest = new Uint32Array(bySending.length)
    for (let at = bySending.length - 1; at >= 0; at--) {
      lowest = Math.min(lowest, bySending[at]?.seq ?? lowest)
      this.#lowest[at] = lowest
    }
  }

  /** The possible positions of something that was sent and confirmed at these times. */
  windowOf(sentMs: number, respondedMs: number): Window {
    const before = countBelow(this.#respondedMs, sentMs)
    const notAfter = countUpTo(this.#sentMs, respondedMs)
    return {
      least: this.#highest[before - 1] ?? 0,
      most: (this.#lowest[notAfter] ?? this.#last + 1) - 1,
    }
  }
}

/** Two missing times are equal, although their difference is NaN. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b
}

/** How many of the sorted values are below the limit. */
export function countBelow(sorted: Float64Array, limit: number): number {
  return findFirst(sorted, (value) => value >= limit)
}

export function countUpTo(sorted: Float64Array, limit: number): number {
  return findFirst(sorted, (value) => value > limit)
}

function findFirst(sorted: Float64Array, isBeyond: (value: number) => boolean): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBeyond(sorted[middle] as number)) high = middle
    else low = middle + 1
  }
  return low
}
