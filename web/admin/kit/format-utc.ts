const MONTH = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' })

/** "15 Nov 15:34:14" in UTC, with the year if it is another one than now. */
export function formatUtc(isoTimestamp: string, now = new Date()): string {
  const time = new Date(isoTimestamp)
  const year = time.getUTCFullYear()
  const day = `${time.getUTCDate()} ${MONTH.format(time)}`
  const clock = time.toISOString().slice(11, 19)
  return year === now.getUTCFullYear() ? `${day} ${clock}` : `${day} ${year} ${clock}`
}
