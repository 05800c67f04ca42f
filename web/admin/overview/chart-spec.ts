/** The data of a chart: one value per time slot and series. */

export interface ChartSeries {
  label: string
  /** null if the value is unknown; nothing is drawn then. */
  values: readonly (number | null)[]
  format: (value: number) => string
  /** The name of a token --chart-…. */
  color: '1' | '2' | '3' | 'soft' | 'danger'
  shape: 'line' | 'bar'
  isDashed?: boolean
  /** Uses the axis on the right. */
  isRight?: boolean
}

export interface ChartSpec {
  times: readonly string[]
  step: 'hour' | 'day'
  series: readonly ChartSeries[]
  /** A short label of the slot. */
  formatTime: (time: string) => string
  formatAxis: (value: number) => string
  /** The values on the left are counts. */
  isCount?: boolean
  formatRight: (value: number) => string
  /** The maximum of the axis on the right. */
  rightMax?: number
}

/** The end of an axis: a round number above the largest value, and a whole one for counts. */
export function niceMax(max: number | null, isCount = false): number {
  if (max === null || max <= 0) return 1
  const unit = 10 ** Math.floor(Math.log10(max))
  const step = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((each) => each * unit >= max * 1.05) ?? 12
  return isCount ? Math.ceil(step * unit) : step * unit
}
