import type { AdminPageData } from '../page-data.ts'
import { createPageContext } from '../ui/page.ts'
import type { MoneyFormat } from '../ui/format-money.ts'
import type { Calls } from './calls.ts'

export interface Page extends Calls {
  data: AdminPageData
  money: MoneyFormat
}

export const { PageContext, usePage } = createPageContext<Page>()
