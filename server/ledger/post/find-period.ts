/** Days, weeks and months of a time zone as instants. Pure: it reads no clock. */
import { Temporal } from 'temporal-polyfill'
import type { Period, Unit } from '../types.ts'

const EPOCH = new Temporal.PlainDate(1970, 1, 1)

/** The period that contains the instant. Weeks start on Monday. */
export function findPeriod(unit: Unit, timeZone: string, atMs: number): Period {
  const zone = knownZone(timeZone)
  const today = dateAt(zone, atMs)
  const before = { day: 0, week: today.dayOfWeek - 1, month: today.day - 1 }[unit]
  const first = today.subtract({ days: before })
  const next = first.add({ [`${unit}s`]: 1 })
  // Where clocks are set back right after midnight, an instant can have the date of the day before.
  return {
    startsAtMs: Math.min(startOf(zone, first), atMs),
    endsAtMs: Math.max(startOf(zone, next), atMs + 1),
  }
}

/** The first instant of a day, given as the number of days since 1970-01-01. It is not always midnight. */
export function startOfDay(timeZone: string, day: number): number {
  return startOf(knownZone(timeZone), EPOCH.add({ days: day }))
}

/** The local date at an instant, as the number of days since 1970-01-01. */
export function localDay(timeZone: string, atMs: number): number {
  return EPOCH.until(dateAt(knownZone(timeZone), atMs)).days
}

function startOf(zone: string, date: Temporal.PlainDate): number {
  return date.toZonedDateTime(zone).epochMilliseconds
}

function dateAt(zone: string, atMs: number): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(atMs))
    .toZonedDateTimeISO(zone)
    .toPlainDate()
}

/** A name that only a newer version of Node knows: periods in UTC are better than debits that fail. */
function knownZone(timeZone: string): string {
  return isTimeZone(timeZone) ? timeZone : 'UTC'
}

/** Whether it is the IANA name of a time zone, such as Europe/Berlin. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(name)) return false
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)
    return true
  } catch {
    return false
  }
}
