const MONTH = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' })

/** "15 Nov 15:34:14" in UTC, with the year if it is not the current one. */
export function formatUtc(isoTimestamp: string, now = new Date()): string {
  const time = new Date(isoTimestamp)
  const year = time.getUTCFullYear()
  const day = `${time.getUTCDate()} ${MONTH.format(time)}`
  const clock = time.toISOString().slice(11, 19)
  return year === now.getUTCFullYear() ? `${day} ${clock}` : `${day} ${year} ${clock}`
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** "3 hours": in the largest unit that fits, and at least a minute. */
export function formatAge(isoTimestamp: string, now: Date): string {
  const ageMs = Math.max(now.getTime() - Date.parse(isoTimestamp), 60_000)
  const [unit, unitMs] = UNITS.find(([, ms]) => ageMs >= ms) ?? UNITS[2]
  const format = new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(Math.floor(ageMs / unitMs))
}
