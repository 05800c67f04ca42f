/** What every component of the account page may use. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { AccountPageData } from '../page-data.ts'
import type { DateFormat } from '../ui/format-date.ts'
import type { MoneyFormat } from '../ui/format-money.ts'
import type { Calls } from './calls.ts'
import type { DayFormat } from './history/format-day.ts'
import type { Messages } from './messages-en.ts'

export interface Page {
  data: AccountPageData
  words: Messages
  money: MoneyFormat
  date: DateFormat
  day: DayFormat
  calls: Calls
}

export const PageContext = createContext<Page | null>(null)

export function usePage(): Page {
  const page = useContext(PageContext)
  if (!page) throw new Error('No page around this component')
  return page
}
