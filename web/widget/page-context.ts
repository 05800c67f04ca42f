/** What every component of a widget page may use, known before the first of them renders. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { WidgetPageData } from '../page-data.ts'
import type { DateFormat } from '../ui/format-date.ts'
import type { MoneyFormat } from '../ui/format-money.ts'
import type { PostToHost } from './host.ts'
import type { Messages } from './messages-en.ts'

export interface Page {
  data: WidgetPageData
  words: Messages
  money: MoneyFormat
  date: DateFormat
  post: PostToHost
}

export const PageContext = createContext<Page | null>(null)

export function usePage(): Page {
  const page = useContext(PageContext)
  if (!page) throw new Error('No page around this component')
  return page
}
