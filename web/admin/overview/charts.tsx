import { useMemo } from 'preact/hooks'
import type { Overview } from '../calls.ts'
import type { ChartSeries, ChartSpec } from './chart-spec.ts'
import { Chart } from './chart.tsx'
import { usePage } from '../page-context.ts'
import * as styles from './overview.module.css'

const STEP_HINTS = {
  hour: 'By hour (UTC). The current hour is not complete.',
  day: 'By day (UTC). Today is not complete.',
}

type Slot = Overview['slots'][number]
const UTC = { timeZone: 'UTC' } as const
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const DAY = { day: 'numeric', month: 'short' } as const
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 })
const count = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

export function OverviewCharts({ figures }: { figures: Overview }) {
  const specs = useSpecs(figures)
  const { nameTime } = useTimes(figures.step)
  const lead = STEP_HINTS[figures.step]
  return (
    <div class={styles.charts}>
      <Chart
        title="Volume"
        lead={`Amounts debited, credited and topped up. ${lead}`}
        spec={specs.volume}
        nameTime={nameTime}
      />
      <Chart
        title="Top-ups"
        lead="Started vs. paid. The success rate excludes top-ups that are still open."
        spec={specs.topups}
        nameTime={nameTime}
      />
      <Chart
        title="Latency and errors"
        lead="Response time, and responses with a server error (5xx)."
        spec={specs.latency}
        nameTime={nameTime}
      />
    </div>
  )
}

function useTimes(step: Overview['step']) {
  return useMemo(() => {
    const short = new Intl.DateTimeFormat('en-GB', { ...UTC, ...(step === 'hour' ? CLOCK : DAY) })
    const full = new Intl.DateTimeFormat('en-GB', {
      ...UTC,
      ...DAY,
      ...(step === 'hour' ? CLOCK : { weekday: 'short' }),
    })
    return {
      formatTime: (time: string) => short.format(new Date(time)),
      nameTime: (time: string) => full.format(new Date(time)),
    }
  }, [step])
}

function useSpecs({ slots, step, currency }: Overview) {
  const { money } = usePage()
  const { formatTime } = useTimes(step)
  return useMemo(() => {
    const axis = new Intl.NumberFormat('en', {
      style: 'currency',
      currency,
      notation: 'compact',
      // WebKit would show $40.0.
      minimumFractionDigits: 0,
      maximumFractionDigits: 1,
    })
    const shared = {
      times: slots.map(({ at }) => at),
      step,
      formatTime,
      formatRight: (value: number) => percent.format(value),
    }
    const volume: ChartSpec = {
      ...shared,
      series: volumeSeries(slots, (amount) => money.plain(amount, currency)),
      formatAxis: (value) => axis.format(value),
    }
    const topups: ChartSpec = {
      ...shared,
      series: topupSeries(slots),
      formatAxis: (value) => count.format(value),
      isCount: true,
    }
    const latency: ChartSpec = {
      ...shared,
      series: latencySeries(slots),
      formatAxis: formatMs,
      rightMax: errorAxisMax(slots),
    }
    return { volume, topups, latency }
  }, [slots])
}

function volumeSeries(slots: readonly Slot[], format: (amount: number) => string): ChartSeries[] {
  const line = { shape: 'line', format } as const
  return [
    { ...line, label: 'Debits', color: '1', values: slots.map(({ debits }) => debits.amount) },
    {
      ...line,
      label: 'Credits',
      color: '2',
      values: slots.map(({ credits }) => credits.amount),
    },
    {
      ...line,
      label: 'Top-ups',
      color: '3',
      isDashed: true,
      values: slots.map(({ topups }) => topups.amount),
    },
  ]
}

/** A share is unknown while the whole is still open. */
function topupSeries(slots: readonly Slot[]): ChartSeries[] {
  const bar = { shape: 'bar', format: (value: number) => value.toLocaleString('en') } as const
  return [
    { ...bar, label: 'Started', color: 'soft', values: slots.map((each) => each.topupsBegun) },
    { ...bar, label: 'Paid', color: '2', values: slots.map((each) => each.topupsPaid) },
    {
      label: 'Success rate',
      shape: 'line',
      color: '1',
      isRight: true,
      format: (value) => percent.format(value),
      values: slots.map(({ topupsPaid, topupsEnded }) =>
        share(topupsPaid, topupsPaid + topupsEnded),
      ),
    },
  ]
}

function latencySeries(slots: readonly Slot[]): ChartSeries[] {
  const line = { shape: 'line', format: formatMs } as const
  return [
    {
      label: 'Failed',
      shape: 'bar',
      color: 'danger',
      isRight: true,
      format: (value) => percent.format(value),
      values: slots.map(({ failed, requests }) => share(failed, requests)),
    },
    { ...line, label: 'Median (p50)', color: '1', values: slots.map(({ p50Ms }) => p50Ms) },
    {
      ...line,
      label: 'p99',
      color: '3',
      isDashed: true,
      values: slots.map(({ p99Ms }) => p99Ms),
    },
  ]
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

/** Scales the axis so that few errors are visible and many look like many. */
function errorAxisMax(slots: readonly Slot[]): number {
  const most = Math.max(0, ...slots.map(({ failed, requests }) => share(failed, requests) ?? 0))
  return [0.01, 0.05, 0.1, 0.25, 0.5].find((each) => most <= each) ?? 1
}

function formatMs(value: number): string {
  return `${value.toLocaleString('en')} ms`
}
