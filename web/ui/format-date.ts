/** "Today, 14:05", "Yesterday, 9:30", "12 Mar, 18:00", with the year if it is not the current one. */

export type DateFormat = (isoTimestamp: string, now?: Date) => string

export function createDateFormat(locales: readonly string[]): DateFormat {
  const list = [...locales]
  const clock = { hour: 'numeric', minute: '2-digit' } as const
  const day = { month: 'short', day: 'numeric', ...clock } as const
  const time = new Intl.DateTimeFormat(list, clock)
  const thisYear = new Intl.DateTimeFormat(list, day)
  const otherYear = new Intl.DateTimeFormat(list, { year: 'numeric', ...day })
  const relative = new Intl.RelativeTimeFormat(list, { numeric: 'auto' })

  return (isoTimestamp, now = new Date()) => {
    const date = new Date(isoTimestamp)
    if (Number.isNaN(date.getTime())) return ''
    const daysAgo = countDays(date, now)
    if (daysAgo === 0 || daysAgo === 1) {
      return `${capitalize(relative.format(-daysAgo, 'day'), list)}, ${time.format(date)}`
    }
    return (date.getFullYear() === now.getFullYear() ? thisYear : otherYear).format(date)
  }
}

/** Counts calendar days, which can have 23 or 25 hours because of daylight saving time. */
function countDays(from: Date, to: Date): number {
  const [start, end] = [from, to].map((date) =>
    Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()),
  ) as [number, number]
  return (end - start) / 86_400_000
}

function capitalize(text: string, locales: string[]): string {
  return text.charAt(0).toLocaleUpperCase(locales) + text.slice(1)
}
