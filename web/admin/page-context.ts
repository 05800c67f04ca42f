/** What every component of the operators' area may use. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { AdminPageData } from '../page-data.ts'
import type { DateFormat } from '../ui/format-date.ts'
import type { MoneyFormat } from '../ui/format-money.ts'
import type { Calls } from './calls.ts'

export interface Page {
  data: AdminPageData
  money: MoneyFormat
  date: DateFormat
  calls: Calls
}

export const PageContext = createContext<Page | null>(null)

export function usePage(): Page {
  const page = useContext(PageContext)
  if (!page) throw new Error('No page around this component')
  return page
}
