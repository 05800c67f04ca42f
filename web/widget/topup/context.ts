/** The values that every component of the top-up page can use, in addition to the page context. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { TopupPageData } from '../../page-data.ts'
import type { TopupMessages } from './messages-en.ts'
import type { TopupAddress } from './address.ts'
import type { AmountFormat } from './format.ts'

export interface Topup {
  data: TopupPageData
  texts: TopupMessages
  lang: string
  format: AmountFormat
  address: TopupAddress
  /** The page is in an iframe, not in its own window. */
  isFramed: boolean
}

export const TopupContext = createContext<Topup | null>(null)

export function useTopup(): Topup {
  const topup = useContext(TopupContext)
  if (!topup) throw new Error('No top-up around this component')
  return topup
}
