/** Responses that took up to 2 ^ (step / 3) ms, and longer than the previous step. */
interface LatencyCount {
  step: number
  count: number
}

/** The response time in milliseconds below which this part of the responses lies; null if there were none. */
export function findPercentile(counts: readonly LatencyCount[], part: number): number | null {
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return null
  let below = 0
  for (const { step, count } of counts.toSorted((one, other) => one.step - other.step)) {
    if (below + count >= total * part) {
      const from = step === 0 ? 0 : 2 ** ((step - 1) / 3)
      const to = 2 ** (step / 3)
      return Math.round((from + (to - from) * ((total * part - below) / count)) * 10) / 10
    }
    below += count
  }
  return null
}
