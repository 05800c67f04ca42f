/** What a chart shows: one value per slot of time and series. */

export interface ChartSeries {
  label: string
  /** null: nothing is known, and nothing is drawn. */
  values: readonly (number | null)[]
  format: (value: number) => string
  /** Names the token --chart-…. */
  color: '1' | '2' | '3' | 'soft' | 'danger'
  shape: 'line' | 'bar'
  isDashed?: boolean
  /** Measured by the axis on the right. */
  isRight?: boolean
}

export interface ChartSpec {
  times: readonly string[]
  step: 'hour' | 'day'
  series: readonly ChartSeries[]
  /** A slot, in few letters. */
  formatTime: (time: string) => string
  formatAxis: (value: number) => string
  formatRight: (value: number) => string
  /** Where the axis on the right ends. */
  rightMax?: number
}
