/** Days and times in the language and the time zone of the browser. */

export interface DayFormat {
  /** "Today", "Yesterday" or "Thursday, 12 March", with the year if it is not the current one. */
  day: (isoTimestamp: string, now?: Date) => string
  /** "14:05" */
  time: (isoTimestamp: string) => string
  /** "12 Mar 2026" */
  date: (isoTimestamp: string) => string
}

export function createDayFormat(locales: readonly string[]): DayFormat {
  const list = [...locales]
  const parts = { weekday: 'long', month: 'long', day: 'numeric' } as const
  const thisYear = new Intl.DateTimeFormat(list, parts)
  const otherYear = new Intl.DateTimeFormat(list, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
  })
  const plain = new Intl.DateTimeFormat(list, { dateStyle: 'medium' })
  const clock = new Intl.DateTimeFormat(list, { hour: 'numeric', minute: '2-digit' })
  const relative = new Intl.RelativeTimeFormat(list, { numeric: 'auto' })

  return {
    time: (isoTimestamp) => clock.format(new Date(isoTimestamp)),
    date: (isoTimestamp) => plain.format(new Date(isoTimestamp)),
    day(isoTimestamp, now = new Date()) {
      const date = new Date(isoTimestamp)
      const daysAgo = countDays(date, now)
      if (daysAgo === 0 || daysAgo === 1) {
        const text = relative.format(-daysAgo, 'day')
        return text.charAt(0).toLocaleUpperCase(list) + text.slice(1)
      }
      return (date.getFullYear() === now.getFullYear() ? thisYear : otherYear).format(date)
    },
  }
}

/** Counts calendar days, which can have 23 or 25 hours because of daylight saving time. */
function countDays(from: Date, to: Date): number {
  const start = Date.UTC(from.getFullYear(), from.getMonth(), from.getDate())
  const end = Date.UTC(to.getFullYear(), to.getMonth(), to.getDate())
  return (end - start) / 86_400_000
}

export function readTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
}
