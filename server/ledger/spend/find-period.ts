/** Days, weeks and months of a time zone as instants. Pure: it reads no clock. */
import type { Period, Unit } from './types.ts'

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** Local time is at most 14 hours ahead of UTC and 12 hours behind it. */
const FURTHEST_MS = 15 * HOUR_MS

/** The period that contains the instant. Weeks start on Monday. */
export function findPeriod(unit: Unit, timeZone: string, atMs: number): Period {
  const day = localDay(timeZone, atMs)
  const [first, next] = daysOf(unit, day)
  // Where clocks are set back right after midnight, an instant can have the date of the day before.
  return {
    startsAtMs: Math.min(startOfDay(timeZone, first), atMs),
    endsAtMs: Math.max(startOfDay(timeZone, next), atMs + 1),
  }
}

/** The first day of the period that contains a day, and the first one of the next period. */
function daysOf(unit: Unit, day: number): [first: number, next: number] {
  if (unit === 'day') return [day, day + 1]
  if (unit === 'week') {
    // Day 0, 1970-01-01, was a Thursday.
    const monday = day - ((((day + 3) % 7) + 7) % 7)
    return [monday, monday + 7]
  }
  const date = new Date(day * DAY_MS)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return [Date.UTC(year, month, 1) / DAY_MS, Date.UTC(year, month + 1, 1) / DAY_MS]
}

/**
 * The first instant of a day, which is given as the number of days since 1970-01-01. It is not always midnight: where
 * clocks are set forward at midnight, the day starts at one.
 */
export function startOfDay(timeZone: string, day: number): number {
  const midnight = day * DAY_MS
  let guess = midnight - offsetMs(timeZone, midnight)
  guess = midnight - offsetMs(timeZone, guess)
  const isStart = localDay(timeZone, guess) >= day && localDay(timeZone, guess - SECOND_MS) < day
  return isStart ? guess : searchStart(timeZone, day)
}

function searchStart(timeZone: string, day: number): number {
  let before = (day * DAY_MS - FURTHEST_MS) / SECOND_MS
  let reached = (day * DAY_MS + FURTHEST_MS) / SECOND_MS
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2)
    if (localDay(timeZone, middle * SECOND_MS) >= day) reached = middle
    else before = middle
  }
  return reached * SECOND_MS
}

/** The local date at an instant, as the number of days since 1970-01-01. */
export function localDay(timeZone: string, atMs: number): number {
  return Math.floor((atMs + offsetMs(timeZone, atMs)) / DAY_MS)
}

function offsetMs(timeZone: string, atMs: number): number {
  const second = Math.floor(atMs / SECOND_MS) * SECOND_MS
  const parts: Record<string, number> = {}
  for (const { type, value } of formatOf(timeZone).formatToParts(second)) {
    parts[type] = Number(value)
  }
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second: seconds = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, seconds) - second
}

/** Creating one takes much longer than using it. There are about 600 names of time zones. */
const formats = new Map<string, Intl.DateTimeFormat>()
const FORMATS_MAX = 2_000

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (format === undefined) {
    // A name that only a newer version of Node knows: periods in UTC are better than debits that fail.
    format = createFormat(isTimeZone(timeZone) ? timeZone : 'UTC')
    if (formats.size < FORMATS_MAX) formats.set(timeZone, format)
  }
  return format
}

function createFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
}

/** Whether it is the IANA name of a time zone, such as Europe/Berlin. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(name)) return false
  try {
    return createFormat(name).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
