/** The calls of the account page, with the cookie of the log-in. */
import type * as endpoints from '@coffer/contract/account-api'
import type { Endpoint } from '@coffer/contract/endpoint'
import { type AnswerOf, type InputOf, request } from '../ui/request.ts'

type Contract = typeof endpoints
export type Account = AnswerOf<Contract['readAccount']>
export type HistoryPage = AnswerOf<Contract['readHistory']>
export type Entry = HistoryPage['transactions'][number]
export type HistoryFilter = InputOf<Contract['exportHistory']>

export const EXPORT_PATH = '/api/account/history.csv'

/** `onExpired` hears of it whenever the log-in is over. */
export function createCalls(onExpired: () => void) {
  async function call<E extends Endpoint>(method: 'GET' | 'POST', path: string, input: InputOf<E>) {
    const result = await request<E>(method, `/api/account${path}`, input, {
      credentials: 'same-origin',
    })
    if (!result.ok && !result.offline && result.code === 'LOGIN_REQUIRED') onExpired()
    return result
  }
  function post<E extends Endpoint>(path: string) {
    return (input: InputOf<E>) => call<E>('POST', path, input)
  }
  return {
    readAccount: () => call<Contract['readAccount']>('GET', '', {}),
    readHistory: (input: InputOf<Contract['readHistory']>) =>
      call<Contract['readHistory']>('GET', '/history', input),
    logIn: post<Contract['logInToAccount']>('/log-in'),
    logOut: () => call<Contract['logOut']>('POST', '/log-out', {}),
    forgot: post<Contract['forgotAccountPassword']>('/forgot'),
    reset: post<Contract['resetAccountPassword']>('/reset'),
    unlink: post<Contract['unlinkApp']>('/unlink'),
    changeProfile: post<Contract['changeProfile']>('/profile'),
    changeEmail: post<Contract['changeEmail']>('/email'),
    verifyEmail: post<Contract['verifyNewEmail']>('/email/verify'),
    changePassword: post<Contract['changePassword']>('/password'),
    endLogIn: post<Contract['endLogIn']>('/log-ins/end'),
    deleteAccount: post<Contract['deleteAccount']>('/delete'),
  }
}

export type Calls = ReturnType<typeof createCalls>
