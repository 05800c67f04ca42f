/** Which refusals the contract's own tests provoke on which service. `tidy.test.ts` reads them from here. */
import * as access from './contract-access.ts'
import * as shapes from './contract-shapes.ts'
import { readAccount } from '@coffer/contract/account/account'
import { readOperator } from '@coffer/contract/admin/sign-in'
import type { Endpoint } from '@coffer/contract/endpoint'
import { type ErrorCode, ERRORS } from '@coffer/contract/errors'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import type { Check } from './contract-access.ts'
import { type Caller, callerOf, type EndpointName, ENDPOINTS } from './contract-endpoints.ts'
import { INPUTS } from './contract-inputs.ts'
import {
  type ContractService,
  type Request,
  requestOf,
  send,
  withOwnCaller,
} from './contract-service.ts'
import { assertRefusal, changesNothing, movesNothing } from './setup.ts'

type Service = 'normal' | 'disconnected' | 'throttled'

export interface Refusal {
  title: string
  /** normal: everything works. disconnected: the database is away. throttled: every rate limit is low. */
  on: Service
  check: Check
}

export const THROTTLED_ENV = {
  APP_REQUESTS_PER_SECOND: '5',
  WIDGET_REQUESTS_PER_SECOND: '2',
  LOG_INS_PER_MINUTE: '3',
  SIGN_UPS_PER_HOUR: '3',
}

const BY_ANYONE: Partial<Record<ErrorCode, Refusal>> = {
  INVALID_REQUEST: {
    title: 'for a missing, wrong or repeated field and for a broken body',
    on: 'normal',
    check: shapes.refusesWrongFields,
  },
  PAYLOAD_TOO_LARGE: {
    title: 'above its maximum size',
    on: 'normal',
    check: shapes.refusesLargeBodies,
  },
  UNSUPPORTED_MEDIA_TYPE: {
    title: 'for a body that is not JSON',
    on: 'normal',
    check: shapes.refusesOtherMediaTypes,
  },
  SERVICE_UNAVAILABLE: {
    title: 'while the database cannot be reached',
    on: 'disconnected',
    check: async (service, endpoint, request) => {
      const response = await send(service, endpoint, request)
      // A second after the database has gone, the client app is not known any more, and the whole batch is refused.
      const isPerOperation = endpoint === ENDPOINTS.batch && response.statusCode === 200
      if (isPerOperation) assertUnavailable(response)
      else assertRefusal(response, endpoint, 'SERVICE_UNAVAILABLE')
    },
  },
}

/** The operations of a batch are refused one by one. */
function assertUnavailable(response: LightMyRequestResponse) {
  const { text: error, retryAfterSeconds: retryAfter } = ERRORS.SERVICE_UNAVAILABLE
  const result = { status: 503, retryAfter, error, code: 'SERVICE_UNAVAILABLE' }
  assert.deepEqual(response.json(), { results: [result] })
}

const ORIGIN: Refusal = {
  title: 'from another origin, before the body is read',
  on: 'normal',
  check: access.refusesOtherOrigins,
}
const LOGIN: Refusal = {
  title: 'without a login',
  on: 'normal',
  check: access.refusesWithoutLogin,
}
const limited = (title: string, check: Check): Refusal => ({ title, on: 'throttled', check })

const REFUSALS: Record<Caller, Partial<Record<ErrorCode, Refusal>>> = {
  app: {
    ...BY_ANYONE,
    INVALID_CLIENT: {
      title: 'for missing, wrong and inactive credentials',
      on: 'normal',
      check: access.refusesBadCredentials,
    },
    INSUFFICIENT_SCOPE: {
      title: 'without the scope, after the credentials and before the shape',
      on: 'normal',
      check: access.refusesMissingScope,
    },
    SECRET_RESTRICTED: {
      title: 'with a secret that is restricted to other calls, before the shape',
      on: 'normal',
      check: access.refusesRestrictedSecrets,
    },
    NETWORK_NOT_ALLOWED: {
      title: 'with a secret that is restricted to other networks',
      on: 'normal',
      check: access.refusesOtherNetworks,
    },
    BROWSER_NOT_ALLOWED: {
      title: 'from a browser',
      on: 'normal',
      check: access.refusesBrowsers,
    },
    RATE_LIMITED: limited('for an app that sends too many requests, and only for it', limitsApp),
  },
  session: {
    ...BY_ANYONE,
    INVALID_SESSION: {
      title: 'without a session token',
      on: 'normal',
      check: access.refusesBadSessions,
    },
    SESSION_EXPIRED: {
      title: 'for an expired and for an unknown token',
      on: 'normal',
      check: access.refusesExpiredSessions,
    },
    RATE_LIMITED: limited('for a session that is used too often, and only for it', limitsSession),
  },
  page: {
    ...BY_ANYONE,
    ORIGIN_NOT_ALLOWED: ORIGIN,
    RATE_LIMITED: limited('for an address that tries too often, and only for it', limitsAddress),
  },
  person: {
    ...BY_ANYONE,
    ORIGIN_NOT_ALLOWED: ORIGIN,
    LOGIN_REQUIRED: LOGIN,
    RATE_LIMITED: limited('for a person who sends too many requests', limitsSignedIn),
  },
  operator: {
    ...BY_ANYONE,
    ORIGIN_NOT_ALLOWED: ORIGIN,
    LOGIN_REQUIRED: LOGIN,
    OPERATOR_FORBIDDEN: {
      title: 'for every role below',
      on: 'normal',
      check: access.refusesLowerRoles,
    },
    CONFIRMATION_REQUIRED: {
      title: 'five minutes after the last confirmation',
      on: 'normal',
      check: access.refusesUnconfirmed,
    },
    RATE_LIMITED: limited('for an operator who sends too many requests', limitsSignedIn),
  },
}

/** Those of an endpoint's codes that the contract's tests provoke. */
export function refusalsOf(endpoint: Endpoint): [code: ErrorCode, refusal: Refusal][] {
  const all = Object.entries(REFUSALS[callerOf(endpoint)]) as [ErrorCode, Refusal][]
  return all.filter(([code]) => code in endpoint.errors)
}

/** What a legitimate caller sends to this endpoint, with an input that it accepts. */
export async function makeRequest(service: ContractService, name: EndpointName): Promise<Request> {
  return requestOf(service, ENDPOINTS[name], await INPUTS[name](service))
}

/** Refuses some of many concurrent requests, and serves another caller at the same time. */
async function limitsFlood(
  service: ContractService,
  endpoint: Endpoint,
  request: Request,
  other: () => Promise<{ statusCode: number }>,
) {
  const calls = Array.from({ length: 20 }, () => send(service, endpoint, request))
  const [served, ...responses] = await Promise.all([other(), ...calls])
  const refused = responses.filter(({ statusCode }) => statusCode === 429)
  assert(refused.length >= 5 && refused.length <= 19, `${refused.length} of 20 were refused`)
  for (const response of refused) assertRefusal(response, endpoint, 'RATE_LIMITED')
  assert.equal(served.statusCode, 200)
}

/** The same operation is executed once, so repeating it changes nothing. */
async function limitsApp(service: ContractService, endpoint: Endpoint, request: Request) {
  assert.equal((await send(service, endpoint, request)).statusCode, 200)
  const neighbour = await withOwnCaller(service, endpoint)
  const others = await makeRequest(neighbour, nameOf(endpoint))
  assert.equal((await send(neighbour, endpoint, others)).statusCode, 200)
  await movesNothing(service.harness.admin, () =>
    limitsFlood(service, endpoint, request, () => send(neighbour, endpoint, others)),
  )
}

async function limitsSession(service: ContractService, endpoint: Endpoint, request: Request) {
  const neighbour = await withOwnCaller(service, endpoint)
  const others = await makeRequest(neighbour, nameOf(endpoint))
  await limitsFlood(service, endpoint, request, () => send(neighbour, endpoint, others))
}

/** Reads exhaust the limit first: some endpoints end the login, and then there is nothing left to limit. */
async function limitsSignedIn(service: ContractService, endpoint: Endpoint, request: Request) {
  const read = callerOf(endpoint) === 'person' ? readAccount : readOperator
  const neighbour = await withOwnCaller(service, read)
  const first = { query: {}, body: {}, headers: request.headers }
  const reads = Array.from({ length: 4 }, () => send(service, read, first))
  const calls = Array.from({ length: 8 }, () => send(service, endpoint, request))
  const served = send(neighbour, read, requestOf(neighbour, read, {}))
  const refused = (await Promise.all(calls)).filter(({ statusCode }) => statusCode === 429)
  assert(refused.length >= 3, `${refused.length} of 8 were refused`)
  for (const response of refused) assertRefusal(response, endpoint, 'RATE_LIMITED')
  assert.equal((await served).statusCode, 200)
  await Promise.all(reads)
}

let addresses = 0

async function limitsAddress(service: ContractService, endpoint: Endpoint, request: Request) {
  addresses += 1
  const from = { ...request, address: `192.0.2.${addresses}` }
  for (let index = 0; index < 3; index++) {
    const response = await send(service, endpoint, from)
    assert.notEqual(response.statusCode, 429, response.body)
  }
  const isSignUp = [ENDPOINTS.signUp, ENDPOINTS.signUpAtAccount].includes(endpoint)
  const [least, most] = isSignUp ? [60, 3_600] : [5, 60]
  await changesNothing(service, async () => {
    const response = await send(service, endpoint, from)
    const waitSeconds = Number(response.headers['retry-after'])
    assert(waitSeconds >= least && waitSeconds <= most, `Retry-After: ${waitSeconds}`)
    assertRefusal(response, endpoint, 'RATE_LIMITED', undefined, waitSeconds)
  })
  const other = await send(service, endpoint, { ...from, address: `198.51.100.${addresses}` })
  assert.notEqual(other.statusCode, 429, other.body)
}

function nameOf(endpoint: Endpoint): EndpointName {
  const names = Object.keys(ENDPOINTS) as EndpointName[]
  return names.find((name) => ENDPOINTS[name] === endpoint) ?? assert.fail()
}
