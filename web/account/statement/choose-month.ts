/** Months such as 2026-01, in the time zone of the browser. */

const LISTED = 24

/** The current month and those before it, newest first. A month of the URL that is not among them comes last. */
export function listMonths(now: Date, given: string): string[] {
  const months = Array.from({ length: LISTED }, (_, at) =>
    toMonth(new Date(now.getFullYear(), now.getMonth() - at, 1)),
  )
  return months.includes(given) ? months : [...months, given]
}

/** The month of the URL, which can contain anything; otherwise the current one. */
export function readMonth(text: string | undefined, now: Date): string {
  return /^2\d{3}-(0[1-9]|1[0-2])$/.test(text ?? '') ? (text ?? '') : toMonth(now)
}

export function nameMonth(month: string, lang: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const format = new Intl.DateTimeFormat(lang, { month: 'long', year: 'numeric' })
  return format.format(new Date(year, number - 1, 1))
}

function toMonth(date: Date): string {
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}`
}
