import type { AccountPageData } from '../page-data.ts'
import { createPageContext } from '../ui/page.ts'
import type { DateFormat } from '../ui/format-date.ts'
import type { MoneyFormat } from '../ui/format-money.ts'
import type { Call, Account } from './calls.ts'
import type { DayFormat } from './format-day.ts'
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

/** The props of every section. */
export interface SectionProps {
  account: Account
  reload: () => Promise<void>
}
