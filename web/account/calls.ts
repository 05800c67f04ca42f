/** The requests of the account page. They send the login cookie. */
import type { ACCOUNT_ENDPOINTS } from '@coffer/contract/account/account'
import {
  type CallOf,
  createCall,
  type InputOf,
  request,
  type ResponseOf,
  SLOW_MS,
} from '../ui/request.ts'

type Contract = typeof ACCOUNT_ENDPOINTS
export type Call = CallOf<Contract>
export type Account = ResponseOf<Contract['readAccount']>
export type Passkey = Account['passkeys'][number]
export type Card = ResponseOf<Contract['listCards']>['cards'][number]
export type Automatic = ResponseOf<Contract['readAutomaticTopup']>
export type HistoryPage = ResponseOf<Contract['readHistory']>
export type StatementOfMonth = ResponseOf<Contract['readOwnStatement']>
export type Entry = HistoryPage['transactions'][number]
export type HistoryFilter = InputOf<Contract['exportHistory']>

/** The paths of files that the browser downloads. */
export type DownloadPath = Contract['exportHistory' | 'exportAccount']['path']

const SLOW: readonly string[] = ['POST /api/account/delete']

export interface LoginHandlers {
  /** Called when a response says that the login has ended. */
  expired: () => void
}

export function createAccountCall(handlers: LoginHandlers): Call {
  return createCall<Contract>(async (endpoint, input) => {
    const deadlineMs = SLOW.includes(endpoint) ? SLOW_MS : undefined
    const result = await request(endpoint, input, { credentials: 'same-origin', deadlineMs })
    if (!result.ok && !result.offline && result.code === 'LOGIN_REQUIRED') handlers.expired()
    return result
  })
}
