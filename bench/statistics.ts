/** Figures from repeated measurements that other load disturbs. */

export function median(values: readonly number[]): number {
  const sorted = sort(values)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

export interface Interval {
  low: number
  high: number
}

/** The middle half of the values. */
export function quartiles(values: readonly number[]): Interval {
  const sorted = sort(values)
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN
  return { low: at(0.25), high: at(0.75) }
}

const OUTSIDE = 0.025

/**
 * The 95 % confidence interval of the median, from the order of the values alone: outliers and the shape of the
 * distribution do not matter. With fewer than six values it is their whole range, which has less confidence.
 */
export function confidenceOfMedian(values: readonly number[]): Interval {
  const sorted = sort(values)
  const count = sorted.length
  let cut = 0
  // The probability that exactly `cut` of the values are below the median, added up.
  let exactly = 0.5 ** count
  for (let below = exactly; below <= OUTSIDE; below += exactly) {
    cut++
    exactly *= (count - cut + 1) / cut
  }
  const first = Math.max(0, cut - 1)
  return { low: sorted[first] ?? Number.NaN, high: sorted[count - 1 - first] ?? Number.NaN }
}

function sort(values: readonly number[]): number[] {
  return values.toSorted((a, b) => a - b)
}
