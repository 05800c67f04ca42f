/** The values that every component of a top-up can use, in the widget's window and at /account. */
import { createContext, type FunctionComponent } from 'preact'
import { useContext } from 'preact/hooks'
import type { PaymentPageData } from '../../page-data.ts'
import type { DateFormat } from '../../ui/format-date.ts'
import type { SharedMessages } from '../../ui/messages-en.ts'
import type { PostToParent } from '../parent.ts'
import type { TopupMessages } from './messages-en.ts'
import type { Payment } from './address.ts'
import type { TopupCalls } from './calls.ts'
import type { AmountFormat } from './format.ts'

export interface Topup {
  data: PaymentPageData
  sharedMessages: Pick<SharedMessages, 'lang' | 'rateLimited' | 'unexpected'>
  messages: TopupMessages
  format: AmountFormat
  date: DateFormat
  /** The payment that was in progress when the page was loaded. */
  payment: Payment | undefined
  /** What the app suggests, as decimal text. */
  amount?: string | undefined
  /** undefined: there is no session or login, so the page shows only the result of a payment. */
  calls: TopupCalls | undefined
  /** Where the bank sends the person back to. */
  path: string
  /** The choice between saved cards and a new one; undefined: a new one. */
  ChooseCard?: FunctionComponent
  /** Leads away from the top-up; undefined: the page is in its own window, which can be closed. */
  leave: (() => void) | undefined
  post: PostToParent
}

export const TopupContext = createContext<Topup | null>(null)

export function useTopup(): Topup {
  const topup = useContext(TopupContext)
  if (!topup) throw new Error('useTopup() needs a TopupContext.Provider')
  return topup
}
