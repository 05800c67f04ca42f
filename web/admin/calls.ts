/** The calls of the operators' area, with the cookie of the log-in. */
import type * as endpoints from '@coffer/contract/admin-endpoints'
import type { Endpoint } from '@coffer/contract/endpoint'
import { type AnswerOf, type InputOf, request } from '../ui/request.ts'

type Contract = typeof endpoints
export type Role = endpoints.Role
export type LogInStep = AnswerOf<Contract['logInToAdmin']>
export type Me = AnswerOf<Contract['readOperator']>
export type Operator = AnswerOf<Contract['listOperators']>['operators'][number]
export type OperatorChange = InputOf<Contract['changeOperator']>
export type ListedApp = AnswerOf<Contract['listClientApps']>['clientApps'][number]
export type ClientApp = AnswerOf<Contract['readClientApp']>
export type Secret = ClientApp['secrets'][number]
export type AppSettings = InputOf<Contract['changeClientApp']>
export type Overlap = InputOf<Contract['rotateClientSecret']>['overlap']
export type AuditEntry = AnswerOf<Contract['readAudit']>['entries'][number]
export type AuditFilter = InputOf<Contract['exportAudit']>
export type AppFilter = Omit<InputOf<Contract['listClientApps']>, 'cursor'>

export const EXPORT_PATH = '/api/admin/audit.csv'

export interface Hooks {
  /** Hears of it whenever the log-in is over. */
  expired: () => void
  /** Asks who is there once more; false: the person would not say. */
  confirm: () => Promise<boolean>
}

export function createCalls(hooks: Hooks) {
  async function call<E extends Endpoint>(method: 'GET' | 'POST', path: string, input: InputOf<E>) {
    const send = () =>
      request<E>(method, `/api/admin${path}`, input, { credentials: 'same-origin' })
    let result = await send()
    if (codeOf(result) === 'CONFIRMATION_REQUIRED' && (await hooks.confirm())) result = await send()
    if (codeOf(result) === 'LOGIN_REQUIRED') hooks.expired()
    return result
  }
  function post<E extends Endpoint>(path: string) {
    return (input: InputOf<E>) => call<E>('POST', path, input)
  }
  function get<E extends Endpoint>(path: string) {
    return (input: InputOf<E>) => call<E>('GET', path, input)
  }
  return {
    logIn: post<Contract['logInToAdmin']>('/log-in'),
    finishLogIn: post<Contract['finishAdminLogIn']>('/log-in/code'),
    logOut: () => call<Contract['logOutOfAdmin']>('POST', '/log-out', {}),
    confirm: post<Contract['confirmOperator']>('/confirm'),
    readMe: () => call<Contract['readOperator']>('GET', '/me', {}),
    listOperators: () => call<Contract['listOperators']>('GET', '/operators', {}),
    createOperator: post<Contract['createOperator']>('/operators'),
    changeOperator: post<Contract['changeOperator']>('/operators/change'),
    listApps: get<Contract['listClientApps']>('/client-apps'),
    readApp: get<Contract['readClientApp']>('/client-apps/one'),
    createApp: post<Contract['createClientApp']>('/client-apps'),
    changeApp: post<Contract['changeClientApp']>('/client-apps/change'),
    activateApp: post<Contract['activateClientApp']>('/client-apps/activate'),
    rotateSecret: post<Contract['rotateClientSecret']>('/client-apps/rotate'),
    revokeSecret: post<Contract['revokeClientSecret']>('/client-apps/revoke'),
    readAudit: get<Contract['readAudit']>('/audit'),
  }
}

export type Calls = ReturnType<typeof createCalls>

function codeOf(result: Awaited<ReturnType<typeof request>>) {
  return result.ok || result.offline ? undefined : result.code
}
