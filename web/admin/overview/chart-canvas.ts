/** Draws a chart with uPlot. Loaded when the first chart is shown, so that the other pages do not load it. */
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { niceMax, type ChartSeries, type ChartSpec } from './chart-spec.ts'

const HEIGHT = 220
const FONT = '11px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'
/** Steps of the lower axis, in slots: hours of half a day, or weeks and months. */
const STEPS = { hour: [1, 2, 3, 4, 6, 12], day: [1, 2, 3, 4, 7, 14, 30] }

export interface DrawnChart {
  destroy: () => void
}

interface Colors {
  text: string
  line: string
  background: string
  of: (series: ChartSeries) => string
}

function readColors(box: HTMLElement): Colors {
  const style = getComputedStyle(box)
  const read = (name: string) => style.getPropertyValue(name).trim()
  return {
    text: read('--text-muted'),
    line: read('--line'),
    background: read('--bg'),
    of: ({ color }) => read(`--chart-${color}`),
  }
}

/** `onPoint` gets the slot at the pointer, or null. */
export function drawChart(
  box: HTMLElement,
  spec: ChartSpec,
  onPoint: (slot: number | null) => void,
): DrawnChart {
  const data: UPlot.AlignedData = [
    spec.times.map((_, index) => index),
    ...spec.series.map(({ values }) => [...values]),
  ]
  const draw = () => new UPlot(optionsFor(box, spec, onPoint), data, box)
  let plot = draw()
  const resizes = new ResizeObserver(() => {
    if (box.clientWidth !== plot.width) plot.setSize({ width: box.clientWidth, height: HEIGHT })
  })
  resizes.observe(box)
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  function redraw() {
    plot.destroy()
    plot = draw()
  }
  scheme.addEventListener('change', redraw)
  return {
    destroy() {
      scheme.removeEventListener('change', redraw)
      resizes.disconnect()
      plot.destroy()
    },
  }
}

/** No axis of counts shows a half. */
const COUNT_STEPS = Array.from({ length: 12 }, (_, power) =>
  [1, 2, 5].map((n) => n * 10 ** power),
).flat()

function optionsFor(
  box: HTMLElement,
  spec: ChartSpec,
  onPoint: (slot: number | null) => void,
): UPlot.Options {
  const colors = readColors(box)
  const last = spec.times.length - 1
  const hasRight = spec.series.some(({ isRight }) => isRight)
  const fromZero: UPlot.Range.Function = (_plot, _min, max) => [0, niceMax(max, spec.isCount)]
  return {
    width: box.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    padding: [8, hasRight ? 0 : 12, 0, 0],
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: {
      x: { time: false, range: () => [-0.5, last + 0.5] },
      y: { range: fromZero },
      right: { range: () => [0, spec.rightMax ?? 1] },
    },
    axes: [
      timeAxis(spec, colors),
      {
        ...valueAxis(spec.formatAxis, colors, { scale: 'y', side: 3 }),
        ...(spec.isCount && { incrs: COUNT_STEPS }),
      },
      ...(hasRight
        ? [valueAxis(spec.formatRight, colors, { scale: 'right', side: 1, grid: { show: false } })]
        : []),
    ],
    series: [{}, ...spec.series.map((series) => drawSeries(series, colors))],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
  }
}

function timeAxis({ times, step, formatTime }: ChartSpec, colors: Colors): UPlot.Axis {
  return {
    font: FONT,
    stroke: colors.text,
    size: 20,
    gap: 6,
    space: 56,
    incrs: STEPS[step],
    grid: { show: false },
    ticks: { show: false },
    values: (_plot, splits) =>
      splits.map((at) => {
        const time = Number.isInteger(at) ? times[at] : undefined
        return time === undefined ? '' : formatTime(time)
      }),
  }
}

function valueAxis(
  format: (value: number) => string,
  colors: Colors,
  place: Pick<UPlot.Axis, 'scale' | 'side' | 'grid'>,
): UPlot.Axis {
  return {
    font: FONT,
    stroke: colors.text,
    gap: 6,
    space: 40,
    grid: { stroke: colors.line, width: 1 },
    ticks: { show: false },
    values: (_plot, splits) => splits.map((value) => format(value)),
    size: (plot, values) => {
      const widths = (values ?? []).map((text) => plot.ctx.measureText(text).width)
      return Math.ceil(Math.max(0, ...widths) / devicePixelRatio) + 14
    },
    ...place,
  }
}

function drawSeries(series: ChartSeries, colors: Colors): UPlot.Series {
  const color = colors.of(series)
  const shared: UPlot.Series = {
    label: series.label,
    scale: series.isRight ? 'right' : 'y',
    stroke: color,
  }
  if (series.shape === 'bar') {
    const bars = UPlot.paths.bars?.({ size: [0.6, 28], radius: 0.15 })
    return {
      ...shared,
      fill: color,
      width: 0,
      points: { show: false },
      ...(bars && { paths: bars }),
    }
  }
  return {
    ...shared,
    width: 2,
    spanGaps: false,
    ...(series.isDashed && { dash: [6, 4] }),
    // A value between two gaps has no line.
    points: { size: 5, fill: color, filter: (plot, index) => isolatedPoints(plot, index) },
  }
}

function isolatedPoints(plot: UPlot, index: number): number[] {
  const values = plot.data[index] ?? []
  const isGap = (at: number) => values[at] === null || values[at] === undefined
  return [...values.keys()].filter((at) => !isGap(at) && isGap(at - 1) && isGap(at + 1))
}
