/** Which rate limit protects which route, and by which key. A new route needs a row. */
import type { Endpoint } from '@coffer/contract/endpoint'
import type { ErrorCode } from '@coffer/contract/errors'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ADMIN_ENV } from '../test/admin-setup.ts'
import {
  callerOf,
  ENDPOINTS,
  isAdminEndpoint,
  type EndpointName,
} from '../test/contract-endpoints.ts'
import { makeRequest } from '../test/contract-refusals.ts'
import {
  openContractService,
  send,
  withOwnCaller,
  type ContractService,
  type Request,
} from '../test/contract-service.ts'
import { startWithRoutes } from '../test/list-routes.ts'
import { assertRefusal } from '../test/setup.ts'
import { LIMITS, type Limit } from '../test/tables/limits.ts'
import type { Throttles } from './create-throttles.ts'
import { createRateLimit, type RateLimit } from './rate-limit.ts'

const NAMES = Object.keys(ENDPOINTS) as EndpointName[]
/** Their inputs are valid, but these endpoints refuse them for a reason of their own. */
const REFUSED: Partial<Record<EndpointName, ErrorCode>> = {
  deleteAccount: 'ACCOUNT_NOT_EMPTY',
  erasePerson: 'ACCOUNT_NOT_EMPTY',
  replaceClientSecret: 'CONTACT_REQUIRED',
}
const ADDRESS = '192.0.2.7'

/**
 * One more key, beside the address, of somebody who is logged in or has a ticket. One of the two must allow the call.
 */
const SECOND_KEYS: Partial<Record<EndpointName, (who: { email: string }, body: Body) => string>> = {
  resetAccountPassword: (_, { ticket }) => `ticket ${String(ticket)}`,
  undoEmailChange: (_, { ticket }) => `ticket ${String(ticket)}`,
  secureAccount: (_, { ticket }) => `ticket ${String(ticket)}`,
  verifyNewEmail: ({ email }) => `account ${email}`,
  finishAdminLogIn: (_, { ticket }) => `admin ticket ${String(ticket)}`,
  confirmOperator: ({ email }) => `admin account ${email}`,
  confirmByPasskey: ({ email }) => `admin account ${email}`,
}

type Body = Record<string, unknown>

/** The key by which requests are counted. */
function keyOf(limit: Limit, service: ContractService, endpoint: Endpoint, request: Request) {
  const isAdmin = endpoint.path.startsWith('/api/admin/')
  const isAccount = endpoint.path.startsWith('/api/account/')
  const operator = isAdminEndpoint(endpoint) ? service[endpoint.role] : service.owner
  const keys: Record<Limit, unknown> = {
    mayCallServerApi: service.app.clientId,
    mayCreateSession: service.app.clientId,
    mayManageWebhooks: service.app.clientId,
    mayCallWidgetApi: request.query['session'],
    mayCallAccountApi: service.person.id,
    mayCallAdminApi: operator.id,
    mayLogIn: isAdmin ? `admin ${ADDRESS}` : ADDRESS,
    maySignUp: ADDRESS,
    mayPersonCallStripe: isAccount
      ? `${service.person.id} account`
      : `${service.user.id} ${service.app.id}`,
    mayAppCallStripe: isAccount ? 'account' : service.app.id,
  }
  return String(keys[limit])
}

/** The wait that the response reports; undefined: the one in the contract. */
function waitOf(limit: Limit, { path }: Endpoint): number | undefined {
  if (limit === 'maySignUp') return 15 * 60
  if (limit !== 'mayLogIn') return undefined
  return path.startsWith('/api/widget/auth/') ? 5 : 60
}

/** The limits that are checked during the call, in order. */
async function observe(throttles: Throttles, act: () => Promise<void>) {
  const usual = { ...throttles }
  const checked: [Limit, string][] = []
  for (const limit of Object.keys(usual) as Limit[]) {
    throttles[limit] = (key: string, calls?: number) => {
      checked.push([limit, key])
      return (usual[limit] as RateLimit)(key, calls)
    }
  }
  try {
    await act()
  } finally {
    Object.assign(throttles, usual)
  }
  return checked
}

/** Makes the call while this limit allows nothing. */
async function whileExhausted(throttles: Throttles, limit: Limit, act: () => Promise<void>) {
  const usual = throttles[limit]
  throttles[limit] = createRateLimit(0)
  try {
    await act()
  } finally {
    Object.assign(throttles, { [limit]: usual })
  }
}

describe('the rate limits of the contract', () => {
  let opened: Awaited<ReturnType<typeof openContractService>>
  before(async () => {
    opened = await openContractService()
  })
  after(() => opened.close())

  it('have a row for every endpoint, and every limit protects at least one endpoint', () => {
    assert.deepEqual(Object.keys(LIMITS).toSorted(), NAMES.toSorted())
    const used = new Set(Object.values(LIMITS).flat())
    assert.deepEqual([...used].toSorted(), Object.keys(opened.harness.context.throttles).toSorted())
  })

  for (const name of NAMES) {
    const endpoint = ENDPOINTS[name]
    const row = LIMITS[name]
    it(`${endpoint.method} ${endpoint.path} is limited by ${row.join(' and ')}`, async () => {
      const isOwn = ['person', 'operator'].includes(callerOf(endpoint))
      const service = isOwn ? await withOwnCaller(opened, endpoint) : opened
      const request = { ...(await makeRequest(service, name)), address: ADDRESS }
      const { throttles } = service.harness.context
      for (const limit of row) {
        await whileExhausted(throttles, limit, async () => {
          const response = await send(service, endpoint, request)
          assertRefusal(response, endpoint, 'RATE_LIMITED', undefined, waitOf(limit, endpoint))
        })
      }
      const checked = await observe(throttles, async () => {
        const response = await send(service, endpoint, request)
        const refusal = REFUSED[name]
        if (refusal) assertRefusal(response, endpoint, refusal)
        else assert.equal(response.statusCode, 200, response.body)
      })
      const expected = row.map((limit) => [limit, keyOf(limit, service, endpoint, request)])
      const who = isAdminEndpoint(endpoint) ? service[endpoint.role] : service.person
      const second = SECOND_KEYS[name]?.(who, request.body as Body)
      if (second !== undefined) expected.push(['mayLogIn', second])
      assert.deepEqual(checked, expected)
    })
  }
})

describe('the routes outside the contract', () => {
  it('have no rate limit, because they need neither a secret nor the database, or require a signature', async () => {
    const { harness, routes } = await startWithRoutes(ADMIN_ENV)
    const registered = routes.flatMap(({ endpoint }) => (endpoint ? [endpoint] : []))
    assert.equal(registered.length, NAMES.length)
    assert.deepEqual(new Set(registered), new Set(Object.values(ENDPOINTS)))
    const checked = await observe(harness.context.throttles, async () => {
      for (const { method, url, endpoint } of routes) {
        if (endpoint === undefined) await harness.inject({ method, url })
      }
    })
    assert.deepEqual(checked, [])
    await harness.end()
  })
})
