import type { AccountPageData } from '../page-data.ts'
import { createPageContext } from '../ui/create-page-context.ts'
import type { DateFormat } from '../ui/format-date.ts'
import type { MoneyFormat } from '../ui/format-money.ts'
import type { Call } from './calls.ts'
import type { DayFormat } from './history/format-day.ts'
import type { Messages } from './messages-en.ts'

export interface Page {
  data: AccountPageData
  messages: Messages
  /** For numbers. */
  locales: readonly string[]
  money: MoneyFormat
  date: DateFormat
  day: DayFormat
  call: Call
}

export const { PageContext, usePage } = createPageContext<Page>()
