/** The requests of the account page. They send the login cookie. */
import type * as alerts from '@coffer/contract/account/alerts'
import type * as endpoints from '@coffer/contract/account/account'
import type * as automatic from '@coffer/contract/account/automatic-topup'
import type * as cards from '@coffer/contract/account/cards'
import type * as passkeys from '@coffer/contract/account/passkeys'
import type * as safety from '@coffer/contract/account/safety'
import type * as statement from '@coffer/contract/account/statement'
import type * as spending from '@coffer/contract/account/spend-limit'
import type * as signUp from '@coffer/contract/account/sign-up'
import type { Endpoint } from '@coffer/contract/endpoint'
import { type ResponseOf, type InputOf, request, SLOW_MS } from '../ui/request.ts'

type Contract = typeof endpoints &
  typeof alerts &
  typeof signUp &
  typeof safety &
  typeof spending &
  typeof statement &
  typeof passkeys &
  typeof cards &
  typeof automatic
export type Account = ResponseOf<Contract['readAccount']>
export type Passkey = Account['passkeys'][number]
export type Card = ResponseOf<Contract['listCards']>['cards'][number]
export type Automatic = ResponseOf<Contract['readAutomaticTopup']>
export type HistoryPage = ResponseOf<Contract['readHistory']>
export type StatementOfMonth = ResponseOf<Contract['readOwnStatement']>
export type Entry = HistoryPage['transactions'][number]
export type HistoryFilter = InputOf<Contract['exportHistory']>

export const EXPORT_PATH = '/api/account/history.csv'
export const DATA_PATH = '/api/account/data.json'

export interface Hooks {
  /** Called when a response says that the login has ended. */
  expired: () => void
}

export function createCalls(hooks: Hooks) {
  async function call<E extends Endpoint>(
    method: E['method'],
    path: E['path'],
    input: InputOf<E>,
    deadlineMs?: number,
  ) {
    const result = await request<E>(method, path, input, { credentials: 'same-origin', deadlineMs })
    if (!result.ok && !result.offline && result.code === 'LOGIN_REQUIRED') hooks.expired()
    return result
  }
  function post<E extends Endpoint>(path: E['path'], deadlineMs?: number) {
    return (input: InputOf<E>) => call<E>('POST', path, input, deadlineMs)
  }
  return {
    readAccount: () => call<Contract['readAccount']>('GET', '/api/account', {}),
    readHistory: (input: InputOf<Contract['readHistory']>) =>
      call<Contract['readHistory']>('GET', '/api/account/history', input),
    readStatement: (input: InputOf<Contract['readOwnStatement']>) =>
      call<Contract['readOwnStatement']>('GET', '/api/account/statement', input),
    signUp: post<Contract['signUpAtAccount']>('/api/account/sign-up'),
    verifySignUp: post<Contract['verifySignUp']>('/api/account/sign-up/verify'),
    logIn: post<Contract['logInToAccount']>('/api/account/log-in'),
    logOut: () => call<Contract['logOut']>('POST', '/api/account/log-out', {}),
    forgot: post<Contract['forgotAccountPassword']>('/api/account/forgot'),
    reset: post<Contract['resetAccountPassword']>('/api/account/reset'),
    undo: post<Contract['undoEmailChange']>('/api/account/email/undo'),
    secure: post<Contract['secureAccount']>('/api/account/secure'),
    setReceipts: post<Contract['setReceipts']>('/api/account/receipts'),
    setAlerts: post<Contract['setAlerts']>('/api/account/alerts'),
    setLanguage: post<Contract['setLanguage']>('/api/account/language'),
    setSpendLimit: post<Contract['setSpendLimit']>('/api/account/spend-limit'),
    unlink: post<Contract['unlinkApp']>('/api/account/unlink'),
    unlinkAll: () => call<Contract['unlinkAllApps']>('POST', '/api/account/unlink-all', {}),
    changeProfile: post<Contract['changeProfile']>('/api/account/profile'),
    changeEmail: post<Contract['changeEmail']>('/api/account/email'),
    verifyEmail: post<Contract['verifyNewEmail']>('/api/account/email/verify'),
    changePassword: post<Contract['changePassword']>('/api/account/password'),
    endLogIn: post<Contract['endLogIn']>('/api/account/log-ins/end'),
    beginPasskeyLogIn: () =>
      call<Contract['beginAccountPasskeyLogIn']>('POST', '/api/account/log-in/passkey', {}),
    logInByPasskey: post<Contract['logInToAccountByPasskey']>('/api/account/log-in/passkey/finish'),
    beginPasskey: post<Contract['beginAccountPasskey']>('/api/account/passkeys/new'),
    addPasskey: post<Contract['addAccountPasskey']>('/api/account/passkeys'),
    removePasskey: post<Contract['removeAccountPasskey']>('/api/account/passkeys/remove'),
    renamePasskey: post<Contract['renameAccountPasskey']>('/api/account/passkeys/rename'),
    listCards: () => call<Contract['listCards']>('GET', '/api/account/topup/cards', {}),
    setDefaultCard: post<Contract['setDefaultCard']>('/api/account/topup/cards/default'),
    removeCard: post<Contract['removeCard']>('/api/account/topup/cards/remove'),
    readAutomatic: () =>
      call<Contract['readAutomaticTopup']>('GET', '/api/account/automatic-topup', {}),
    setAutomatic: post<Contract['setAutomaticTopup']>('/api/account/automatic-topup'),
    endAutomatic: () =>
      call<Contract['endAutomaticTopup']>('POST', '/api/account/automatic-topup/off', {}),
    deleteAccount: post<Contract['deleteAccount']>('/api/account/delete', SLOW_MS),
  }
}

export type Calls = ReturnType<typeof createCalls>
