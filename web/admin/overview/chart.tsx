/** A chart with its legend, or the same figures as a table. */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { TextButton } from '../../ui/button.tsx'
import type { DrawnChart } from './chart-canvas.ts'
import type { ChartSeries, ChartSpec } from './chart-spec.ts'
import { Table } from '../kit/list-parts.tsx'
import * as base from '../../ui/base.module.css'
import * as table from '../kit/table.module.css'
import * as styles from './overview.module.css'

const SHAPES = { line: styles.markLine, bar: styles.markBar }
const COLORS = {
  1: styles.mark1,
  2: styles.mark2,
  3: styles.mark3,
  soft: styles.markSoft,
  danger: styles.markDanger,
}

interface ChartProps {
  title: string
  /** The title of the chart. */
  lead: string
  spec: ChartSpec
  /** The full label of the slot. */
  nameTime: (time: string) => string
}

export function Chart({ title, lead, spec, nameTime }: ChartProps) {
  const [isTable, setIsTable] = useState(false)
  const [hasFailed, setHasFailed] = useState(false)
  const [slot, setSlot] = useState<number | null>(null)
  const id = useId()
  const isShownAsTable = isTable || hasFailed
  return (
    <section class={styles.chart} aria-labelledby={id}>
      <div class={styles.chartHead}>
        <div>
          <h2 id={id}>{title}</h2>
          <p class={base.muted}>{lead}</p>
        </div>
        {!hasFailed && (
          <TextButton onClick={() => setIsTable(!isTable)}>
            {isTable ? 'Show as chart' : 'Show as table'}
            <span class={base.visuallyHidden}> {title}</span>
          </TextButton>
        )}
      </div>
      {isShownAsTable ? (
        <ChartTable title={title} spec={spec} nameTime={nameTime} />
      ) : (
        <>
          <Legend spec={spec} slot={slot} nameTime={nameTime} />
          <Canvas spec={spec} onPoint={setSlot} onFail={() => setHasFailed(true)} />
        </>
      )}
    </section>
  )
}

interface CanvasProps {
  spec: ChartSpec
  onPoint: (slot: number | null) => void
  onFail: () => void
}

/** Screen readers cannot read the chart; they get the table. */
function Canvas({ spec, onPoint, onFail }: CanvasProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let drawn: DrawnChart | undefined
    let isGone = false
    async function draw() {
      const { drawChart } = await import('./chart-canvas.ts')
      if (!isGone && box.current) drawn = drawChart(box.current, spec, onPoint)
    }
    draw().catch(() => !isGone && onFail())
    return () => {
      isGone = true
      drawn?.destroy()
    }
  }, [spec])
  return <div class={styles.chartCanvas} ref={box} aria-hidden="true" />
}

interface LegendProps extends Pick<ChartProps, 'spec' | 'nameTime'> {
  slot: number | null
}

/** Shows the values of the slot at the pointer. */
function Legend({ spec, slot, nameTime }: LegendProps) {
  const time = slot === null ? undefined : spec.times[slot]
  return (
    <div class={styles.legend}>
      <ul>
        {spec.series.map((series) => (
          <li key={series.label}>
            <span
              class={`${SHAPES[series.shape]} ${COLORS[series.color]}`}
              data-dashed={series.isDashed}
            />
            {series.label}
            {time !== undefined && <b>{showValue(series, slot)}</b>}
          </li>
        ))}
      </ul>
      <p class={base.muted}>{time === undefined ? '' : nameTime(time)}</p>
    </div>
  )
}

function showValue({ values, format }: ChartSeries, slot: number | null): string {
  const value = slot === null ? null : (values[slot] ?? null)
  return value === null ? '–' : format(value)
}

/** Newest first, because operators read those rows most. */
function ChartTable({ title, spec, nameTime }: Pick<ChartProps, 'title' | 'spec' | 'nameTime'>) {
  const columns = [
    { name: 'Time (UTC)' },
    ...spec.series.map(({ label }) => ({ name: label, isNumber: true })),
  ]
  return (
    <div class={styles.chartTable} tabIndex={0} role="group" aria-label={title}>
      <Table label={title} columns={columns}>
        {spec.times
          .map((time, slot) => (
            <tr key={time}>
              <th scope="row">{nameTime(time)}</th>
              {spec.series.map((series) => (
                <td key={series.label} class={table.number}>
                  {showValue(series, slot)}
                </td>
              ))}
            </tr>
          ))
          .toReversed()}
      </Table>
    </div>
  )
}
