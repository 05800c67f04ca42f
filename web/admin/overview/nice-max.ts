/** A round number above the largest value, so that the highest point is not at the edge. Of counts, a whole one. */
export function niceMax(max: number | null, isCount = false): number {
  if (max === null || max <= 0) return 1
  const unit = 10 ** Math.floor(Math.log10(max))
  const step = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((each) => each * unit >= max * 1.05) ?? 12
  return isCount ? Math.ceil(step * unit) : step * unit
}
