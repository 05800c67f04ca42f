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
