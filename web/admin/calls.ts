/** The calls of the operators' area, with the cookie of the log-in. */
import type * as endpoints from '@coffer/contract/admin/endpoints'
import type { Endpoint } from '@coffer/contract/endpoint'
import { type AnswerOf, type InputOf, request, type Result } from '../ui/request.ts'
import { requestFile } from './request-file.ts'
import { createSelfCalls } from './sign-in/calls.ts'

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
export type Grant = AnswerOf<Contract['listGrants']>['grants'][number]
export type GrantFilter = Omit<InputOf<Contract['listGrants']>, 'cursor' | 'personId'>
export type GrantOutcome = AnswerOf<Contract['proposeGrant']>
export type GrantKind = Grant['kind']
export type ListedPerson = AnswerOf<Contract['listPeople']>['people'][number]
export type PeopleFilter = Omit<InputOf<Contract['listPeople']>, 'cursor'>
export type Person = AnswerOf<Contract['readPerson']>
export type PersonEntry = AnswerOf<Contract['readPersonHistory']>['transactions'][number]
export type HistoryFilter = InputOf<Contract['exportPersonHistory']>
export type Pause = NonNullable<AnswerOf<Contract['readSwitches']>['pause']>
export type KeysState = AnswerOf<Contract['readKeys']>
export type OperationQuestion = InputOf<Contract['lookUpOperation']>
export type FoundOperation = AnswerOf<Contract['lookUpOperation']>
export type TopupFilter = Omit<InputOf<Contract['listTopups']>, 'cursor'>
export type ListedTopup = AnswerOf<Contract['listTopups']>['topups'][number]
export type Topup = AnswerOf<Contract['readTopup']>
export type Refund = Topup['refunds'][number]
export type Dispute = Topup['disputes'][number]
export type AuditEntry = AnswerOf<Contract['readAudit']>['entries'][number]
export type AuditFilter = InputOf<Contract['exportAudit']>
export type Overview = AnswerOf<Contract['readOverview']>
export type OverviewPeriod = InputOf<Contract['readOverview']>['period']
export type AppStatement = AnswerOf<Contract['readStatement']>
export type AppFilter = Omit<InputOf<Contract['listClientApps']>, 'cursor'>

export const EXPORT_PATH = '/api/admin/audit.csv'
export const STATEMENT_PATH = '/api/admin/client-apps/statement.csv'
export const HISTORY_EXPORT_PATH = '/api/admin/people/history.csv'

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
    ...createSelfCalls(call),
    listOperators: () => call<Contract['listOperators']>('GET', '/operators', {}),
    createOperator: post<Contract['createOperator']>('/operators'),
    changeOperator: post<Contract['changeOperator']>('/operators/change'),
    readOverview: get<Contract['readOverview']>('/overview'),
    readStatement: get<Contract['readStatement']>('/client-apps/statement'),
    listApps: get<Contract['listClientApps']>('/client-apps'),
    readApp: get<Contract['readClientApp']>('/client-apps/one'),
    createApp: post<Contract['createClientApp']>('/client-apps'),
    changeApp: post<Contract['changeClientApp']>('/client-apps/change'),
    activateApp: post<Contract['activateClientApp']>('/client-apps/activate'),
    rotateSecret: post<Contract['rotateClientSecret']>('/client-apps/rotate'),
    revokeSecret: post<Contract['revokeClientSecret']>('/client-apps/revoke'),
    proposeGrant: post<Contract['proposeGrant']>('/grants'),
    listGrants: get<Contract['listGrants']>('/grants'),
    approveGrant: post<Contract['approveGrant']>('/grants/approve'),
    declineGrant: post<Contract['declineGrant']>('/grants/decline'),
    listPeople: get<Contract['listPeople']>('/people'),
    readPerson: get<Contract['readPerson']>('/people/one'),
    readPersonHistory: get<Contract['readPersonHistory']>('/people/history'),
    freezeWallet: post<Contract['freezeWallet']>('/people/freeze'),
    erasePerson: post<Contract['erasePerson']>('/people/erase'),
    readSwitches: () => call<Contract['readSwitches']>('GET', '/switches', {}),
    pauseWrites: post<Contract['pauseWrites']>('/switches/pause'),
    pauseApp: post<Contract['pauseClientApp']>('/client-apps/pause'),
    readKeys: () => call<Contract['readKeys']>('GET', '/keys', {}),
    lookUpOperation: get<Contract['lookUpOperation']>('/operations'),
    listTopups: get<Contract['listTopups']>('/topups'),
    readTopup: get<Contract['readTopup']>('/topups/one'),
    refundTopup: post<Contract['refundTopup']>('/topups/refund'),
    readAudit: get<Contract['readAudit']>('/audit'),
    async openExport(path: string, filter: object, controller: AbortController) {
      const result = await requestFile(path, filter, controller)
      if (codeOf(result) === 'LOGIN_REQUIRED') hooks.expired()
      return result
    },
  }
}

export type Calls = ReturnType<typeof createCalls>

function codeOf(result: Result<unknown>) {
  return result.ok || result.offline ? undefined : result.code
}
