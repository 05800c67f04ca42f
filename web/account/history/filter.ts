import type { HistoryFilter } from '../calls.ts'
import { readTimeZone } from '../format-day.ts'

export const TYPES = ['debit', 'credit'] as const
export const SOURCES = ['app', 'topup', 'bonus', 'dispute', 'correction', 'hold'] as const

/** Reads the filter from the URL, which can contain anything. */
export function readFilter(parameters: Record<string, string>): HistoryFilter {
  const { search, type, source, from, to } = parameters
  const filter: HistoryFilter = {
    search: search?.slice(0, 100),
    type: TYPES.find((each) => each === type),
    source: SOURCES.find((each) => each === source),
    from: toDate(from),
    to: toDate(to),
  }
  const given = Object.entries(filter).filter(([, value]) => value)
  return Object.fromEntries(given)
}

/** The days of a request are those of the list, which are in the time zone of the browser. */
export function withTimeZone(filter: HistoryFilter): HistoryFilter {
  return filter.from || filter.to ? { ...filter, timeZone: readTimeZone() } : filter
}

function toDate(text: string | undefined): string | undefined {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text ?? '') && !Number.isNaN(Date.parse(text ?? ''))
  return isDate ? text : undefined
}
