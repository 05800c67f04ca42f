/** What a person lets a client app take. Periods are days, weeks and months of the person's time zone, as instants. */

export const UNITS = ['day', 'week', 'month'] as const
export type Unit = (typeof UNITS)[number]

/** As the person sets it. Amounts are minor units. */
export interface LimitTerms {
  singleMax?: number
  dayMax?: number
  weekMax?: number
  monthMax?: number
  lastDay?: string
  timeZone: string
}

interface Period {
  fromMs: number
  untilMs: number
}

export interface SpendLimit {
  terms: LimitTerms
  periods: Record<Unit, Period>
}

const DAY_MS = 86_400_000
const QUARTER_MS = 900_000

export function dayText(day: number): string {
  return new Date(day).toISOString().slice(0, 10)
}

/** Creating one takes much longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>()

export function localDay(timeZone: string, atMs: number): string {
  let format = formats.get(timeZone)
  if (format === undefined) {
    // It writes dates as 2026-01-31.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
    formats.set(timeZone, format)
  }
  return format.format(atMs)
}

/** The first instant of a day. Clocks change at quarters of an hour. */
export function startOfDay(timeZone: string, day: string): number {
  let before = Date.parse(day) / QUARTER_MS - 60
  let reached = before + 120
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2)
    if (localDay(timeZone, middle * QUARTER_MS) >= day) reached = middle
    else before = middle
  }
  return reached * QUARTER_MS
}

/** The period of the calendar that contains an instant. */
export function findPeriod(unit: Unit, timeZone: string, atMs: number): Period {
  const day = localDay(timeZone, atMs)
  const at = Date.parse(day)
  const date = new Date(at)
  const monday = at - ((date.getUTCDay() + 6) % 7) * DAY_MS
  const month = (plus: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + plus, 1)
  const bounds = {
    day: [at, at + DAY_MS],
    week: [monday, monday + 7 * DAY_MS],
    month: [month(0), month(1)],
  } as const
  const [from, until] = bounds[unit].map((each) => startOfDay(timeZone, dayText(each)))
  return { fromMs: from as number, untilMs: until as number }
}

/** The periods that contain an instant. A period never begins before the last one ends. */
export function advance({ terms, periods }: SpendLimit, nowMs: number): SpendLimit['periods'] {
  const next = (unit: Unit): Period => {
    const last = periods[unit]
    if (nowMs < last.untilMs) return last
    const { fromMs, untilMs } = findPeriod(unit, terms.timeZone, nowMs)
    return { fromMs: Math.max(fromMs, last.untilMs), untilMs }
  }
  return { day: next('day'), week: next('week'), month: next('month') }
}

/** A change of the time zone applies to the next periods. */
export function replaceTerms(
  known: SpendLimit | undefined,
  terms: LimitTerms,
  nowMs: number,
): SpendLimit {
  if (known) return { terms, periods: advance(known, nowMs) }
  const find = (unit: Unit) => findPeriod(unit, terms.timeZone, nowMs)
  return { terms, periods: { day: find('day'), week: find('week'), month: find('month') } }
}

/** Whether the app could take more than before; no terms: everything. */
export function isRaise(known: SpendLimit, terms: LimitTerms | undefined): boolean {
  if (terms === undefined || terms.timeZone !== known.terms.timeZone) return true
  const before = known.terms
  const names = ['singleMax', 'dayMax', 'weekMax', 'monthMax'] as const
  const isHigher = names.some((name) => (terms[name] ?? Infinity) > (before[name] ?? Infinity))
  return isHigher || (terms.lastDay ?? 'none') > (before.lastDay ?? 'none')
}

/** The app may take nothing after the last day. */
export function isOver({ terms: { lastDay, timeZone } }: SpendLimit, nowMs: number): boolean {
  return lastDay !== undefined && localDay(timeZone, nowMs) > lastDay
}
