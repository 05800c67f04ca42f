/** The requests of the admin area. They send the login cookie. */
import type { Role } from '@coffer/contract/admin/endpoint'
import type { ADMIN_ENDPOINTS, ADMIN_SIGN_IN_ENDPOINTS } from '@coffer/contract/admin/endpoints'
import {
  type CallOf,
  createCall,
  type InputOf,
  request,
  type ResponseOf,
  type Result,
  SLOW_MS,
} from '../ui/request.ts'
import { requestFile } from './request-file.ts'

type Contract = typeof ADMIN_ENDPOINTS & typeof ADMIN_SIGN_IN_ENDPOINTS
export type Call = CallOf<Contract>
/** The paths of files that `openExport` requests. */
export type ExportPath = Contract['exportAudit' | 'exportStatement' | 'exportPersonHistory']['path']
export type { Role }
export type LogInStep = ResponseOf<Contract['logInToAdmin']>
export type Me = ResponseOf<Contract['readOperator']>
export type Passkey = ResponseOf<Contract['readSignIn']>['passkeys'][number]
export type OwnLogIn = ResponseOf<Contract['readSignIn']>['logIns'][number]
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

const SLOW: readonly string[] = ['POST /api/admin/people/erase', 'POST /api/admin/webhooks/test']

export interface LoginHandlers {
  /** Called when a response says that the login has ended. */
  expired: () => void
  /** Asks the operator to confirm; resolves to false if they cancel. */
  confirm: () => Promise<boolean>
}

export function createCalls(handlers: LoginHandlers) {
  const call = createCall<Contract>(async (endpoint, input) => {
    const deadlineMs = SLOW.includes(endpoint) ? SLOW_MS : undefined
    const send = () => request(endpoint, input, { credentials: 'same-origin', deadlineMs })
    let result = await send()
    if (codeOf(result) === 'CONFIRMATION_REQUIRED' && (await handlers.confirm()))
      result = await send()
    if (codeOf(result) === 'LOGIN_REQUIRED') handlers.expired()
    return result
  })
  async function openExport(path: ExportPath, filter: object, controller: AbortController) {
    const result = await requestFile(path, filter, controller)
    if (codeOf(result) === 'LOGIN_REQUIRED') handlers.expired()
    return result
  }
  return { call, openExport }
}

export type Calls = ReturnType<typeof createCalls>

function codeOf(result: Result<unknown>) {
  return result.ok || result.offline ? undefined : result.code
}
