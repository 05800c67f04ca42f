import type { WidgetPageData } from '../page-data.ts'
import { createPageContext } from '../ui/page.ts'
import type { DateFormat } from '../ui/format-date.ts'
import type { MoneyFormat } from '../ui/format-money.ts'
import type { PostToParent } from './parent.ts'
import type { Messages } from './messages-en.ts'

export interface Page {
  data: WidgetPageData
  messages: Messages
  money: MoneyFormat
  date: DateFormat
  post: PostToParent
}

export const { PageContext, usePage } = createPageContext<Page>()
