/** The requests of the admin area. They send the login cookie. */
import type { Role } from '@coffer/contract/admin/endpoint'
import type { ADMIN_ENDPOINTS, ADMIN_SIGN_IN_ENDPOINTS } from '@coffer/contract/admin/endpoints'
import type { Endpoint } from '@coffer/contract/endpoint'
import { type ResponseOf, type InputOf, request, type Result, SLOW_MS } from '../ui/request.ts'
import { requestFile } from './request-file.ts'
import { createSelfCalls } from './sign-in/calls.ts'
import { createWebhookCalls } from './webhooks/calls.ts'

type Contract = typeof ADMIN_ENDPOINTS & typeof ADMIN_SIGN_IN_ENDPOINTS
export type { Role }
export type LogInStep = ResponseOf<Contract['logInToAdmin']>
export type Me = ResponseOf<Contract['readOperator']>
export type Operator = ResponseOf<Contract['listOperators']>['operators'][number]
export type OperatorChange = InputOf<Contract['changeOperator']>
export type ListedApp = ResponseOf<Contract['listClientApps']>['clientApps'][number]
export type ClientApp = ResponseOf<Contract['readClientApp']>
export type Secret = ClientApp['secrets'][number]
export type AppSettings = InputOf<Contract['changeClientApp']>
export type AppChanged = ResponseOf<Contract['changeClientApp']>
export type Overlap = InputOf<Contract['rotateClientSecret']>['overlap']
export type NewSecret = ResponseOf<Contract['rotateClientSecret']>
export type Restriction = NonNullable<Secret['restriction']>
export type SecretScope = Restriction['scopes'][number]
export type Webhook = ResponseOf<Contract['listWebhooks']>['webhooks'][number]
export type EventType = NonNullable<InputOf<Contract['createWebhook']>['types']>[number]
export type Delivery = ResponseOf<Contract['listDeliveries']>['deliveries'][number]
export type Grant = ResponseOf<Contract['listGrants']>['grants'][number]
export type GrantFilter = Omit<InputOf<Contract['listGrants']>, 'cursor' | 'personId'>
export type GrantOutcome = ResponseOf<Contract['proposeGrant']>
export type GrantKind = InputOf<Contract['proposeGrant']>['kind']
export type ListedPerson = ResponseOf<Contract['listPeople']>['people'][number]
export type PeopleFilter = Omit<InputOf<Contract['listPeople']>, 'cursor'>
export type Person = ResponseOf<Contract['readPerson']>
export type PersonEntry = ResponseOf<Contract['readPersonHistory']>['transactions'][number]
export type HistoryFilter = InputOf<Contract['exportPersonHistory']>
export type Pause = NonNullable<ResponseOf<Contract['readSwitches']>['pause']>
export type KeysState = ResponseOf<Contract['readKeys']>
export type OperationQuery = InputOf<Contract['lookUpOperation']>
export type FoundOperation = ResponseOf<Contract['lookUpOperation']>
export type OperationFilter = Omit<InputOf<Contract['listOperations']>, 'cursor'>
export type OperationPage = ResponseOf<Contract['listOperations']>
export type ListedOperation = OperationPage['operations'][number]
export type TopupFilter = Omit<InputOf<Contract['listTopups']>, 'cursor'>
export type ListedTopup = ResponseOf<Contract['listTopups']>['topups'][number]
export type Topup = ResponseOf<Contract['readTopup']>
export type Refund = Topup['refunds'][number]
export type Dispute = Topup['disputes'][number]
export type AuditEntry = ResponseOf<Contract['readAudit']>['entries'][number]
export type AuditFilter = InputOf<Contract['exportAudit']>
export type Overview = ResponseOf<Contract['readOverview']>
export type OverviewPeriod = InputOf<Contract['readOverview']>['period']
export type AppStatement = ResponseOf<Contract['readStatement']>
export type AppFilter = Omit<InputOf<Contract['listClientApps']>, 'cursor'>

export const EXPORT_PATH = '/api/admin/audit.csv'
export const STATEMENT_PATH = '/api/admin/client-apps/statement.csv'
export const HISTORY_EXPORT_PATH = '/api/admin/people/history.csv'

export interface Hooks {
  /** Called when a response says that the login has ended. */
  expired: () => void
  /** Asks the operator to confirm; resolves to false if they cancel. */
  confirm: () => Promise<boolean>
}

export function createCalls(hooks: Hooks) {
  async function call<E extends Endpoint>(
    method: E['method'],
    path: E['path'],
    input: InputOf<E>,
    deadlineMs?: number,
  ) {
    const send = () => request<E>(method, path, input, { credentials: 'same-origin', deadlineMs })
    let result = await send()
    if (codeOf(result) === 'CONFIRMATION_REQUIRED' && (await hooks.confirm())) result = await send()
    if (codeOf(result) === 'LOGIN_REQUIRED') hooks.expired()
    return result
  }
  function post<E extends Endpoint>(path: E['path'], deadlineMs?: number) {
    return (input: InputOf<E>) => call<E>('POST', path, input, deadlineMs)
  }
  function get<E extends Endpoint>(path: E['path']) {
    return (input: InputOf<E>) => call<E>('GET', path, input)
  }
  return {
    logIn: post<Contract['logInToAdmin']>('/api/admin/sign-in'),
    finishLogIn: post<Contract['finishAdminLogIn']>('/api/admin/sign-in/code'),
    logOut: () => call<Contract['logOutOfAdmin']>('POST', '/api/admin/sign-in/log-out', {}),
    confirm: post<Contract['confirmOperator']>('/api/admin/sign-in/confirm'),
    readMe: () => call<Contract['readOperator']>('GET', '/api/admin/sign-in/operator', {}),
    ...createSelfCalls(call),
    listOperators: () => call<Contract['listOperators']>('GET', '/api/admin/operators', {}),
    createOperator: post<Contract['createOperator']>('/api/admin/operators'),
    changeOperator: post<Contract['changeOperator']>('/api/admin/operators/change'),
    readOverview: get<Contract['readOverview']>('/api/admin/overview'),
    readStatement: get<Contract['readStatement']>('/api/admin/client-apps/statement'),
    listApps: get<Contract['listClientApps']>('/api/admin/client-apps'),
    readApp: get<Contract['readClientApp']>('/api/admin/client-apps/one'),
    createApp: post<Contract['createClientApp']>('/api/admin/client-apps'),
    changeApp: post<Contract['changeClientApp']>('/api/admin/client-apps/change'),
    listAppEvents: get<Contract['listAppEvents']>('/api/admin/client-apps/events'),
    setDebitAlert: post<Contract['setDebitAlert']>('/api/admin/client-apps/debit-alert'),
    activateApp: post<Contract['activateClientApp']>('/api/admin/client-apps/activate'),
    replaceSecret: post<Contract['replaceClientSecret']>('/api/admin/client-apps/replace-secret'),
    rotateSecret: post<Contract['rotateClientSecret']>('/api/admin/client-apps/rotate'),
    revokeSecret: post<Contract['revokeClientSecret']>('/api/admin/client-apps/revoke'),
    ...createWebhookCalls({ get, post }),
    proposeGrant: post<Contract['proposeGrant']>('/api/admin/grants'),
    releaseHold: post<Contract['releaseHold']>('/api/admin/grants/release-hold'),
    listGrants: get<Contract['listGrants']>('/api/admin/grants'),
    approveGrant: post<Contract['approveGrant']>('/api/admin/grants/approve'),
    declineGrant: post<Contract['declineGrant']>('/api/admin/grants/decline'),
    listPeople: get<Contract['listPeople']>('/api/admin/people'),
    readPerson: get<Contract['readPerson']>('/api/admin/people/one'),
    readPersonHistory: get<Contract['readPersonHistory']>('/api/admin/people/history'),
    freezeWallet: post<Contract['freezeWallet']>('/api/admin/people/freeze'),
    allowHold: post<Contract['allowHold']>('/api/admin/people/allow-hold'),
    erasePerson: post<Contract['erasePerson']>('/api/admin/people/erase', SLOW_MS),
    readSwitches: () => call<Contract['readSwitches']>('GET', '/api/admin/switches', {}),
    pauseWrites: post<Contract['pauseWrites']>('/api/admin/switches/pause'),
    pauseApp: post<Contract['pauseClientApp']>('/api/admin/switches/client-app'),
    readKeys: () => call<Contract['readKeys']>('GET', '/api/admin/switches/keys', {}),
    lookUpOperation: get<Contract['lookUpOperation']>('/api/admin/operations'),
    listOperations: get<Contract['listOperations']>('/api/admin/operations/recent'),
    listTopups: get<Contract['listTopups']>('/api/admin/topups'),
    readTopup: get<Contract['readTopup']>('/api/admin/topups/one'),
    refundTopup: post<Contract['refundTopup']>('/api/admin/topups/refund'),
    readAudit: get<Contract['readAudit']>('/api/admin/audit'),
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
