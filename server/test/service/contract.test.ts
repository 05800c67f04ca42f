/** The refusals that endpoints share, for every endpoint of the contract. */
import { BODY_MAX_BYTES } from '@coffer/contract/limits'
import type { Endpoint } from '@coffer/contract/endpoint'
import { ERRORS, type ErrorCode } from '@coffer/contract/errors'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { OWN_ORIGIN } from '../contract-access.ts'
import { callerOf, ENDPOINTS, statusOf, type EndpointName } from '../contract-endpoints.ts'
import { INPUTS } from '../contract-inputs.ts'
import { makeRequest, refusalsOf, THROTTLED_ENV } from '../contract-refusals.ts'
import {
  changesNothingAnywhere,
  openContractService,
  requestOf,
  send,
  withOwnCaller,
  type ContractService,
  type Request,
} from '../contract-service.ts'
import { assertRemoved, assertStarted, LOG_IN_KINDS } from '../tables/log-in-kinds.ts'
import { assertRefusal } from '../setup.ts'

const NAMES = Object.keys(ENDPOINTS) as EndpointName[]
type Opened = Awaited<ReturnType<typeof openContractService>>

/** Their inputs are valid, but these endpoints refuse them for a reason of their own: accepting them takes seconds. */
const REFUSED_CONTROLS: Partial<Record<EndpointName, ErrorCode>> = {
  deleteAccount: 'ACCOUNT_NOT_EMPTY',
  erasePerson: 'ACCOUNT_NOT_EMPTY',
  // The service has no PUBLIC_URL here.
  replaceClientSecret: 'CONTACT_REQUIRED',
}

/** One more byte, another charset or another header would be rejected. */
function borderline(endpoint: Endpoint, request: Request): Request {
  if (endpoint.method === 'GET') return request
  const { 'sec-fetch-site': site, ...others } = request.headers
  const origin: Record<string, string> = site === undefined ? {} : { origin: OWN_ORIGIN }
  return {
    ...request,
    body: JSON.stringify(request.body).padEnd(endpoint.bodyMaxBytes ?? BODY_MAX_BYTES),
    headers: { ...others, ...origin, 'content-type': 'application/json; charset=utf-8' },
  }
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

async function assertOtherMethods({ harness }: ContractService, { path }: Endpoint) {
  const some = Object.values(ENDPOINTS).filter((each) => each.path === path)
  const has = (method: string) => some.some((each) => each.method === method)
  const allowed = ['GET', 'POST'].filter(has)
  const allow = ['GET', 'HEAD', 'POST'].filter((each) => has(each === 'HEAD' ? 'GET' : each))
  const { status, text } = ERRORS.METHOD_NOT_ALLOWED
  const error = `${text} Use ${allowed.join(' or ')}.`
  for (const method of METHODS) {
    const response = await harness.inject({ method, url: `${path}?a=b` })
    const isAllowed = allow.includes(method)
    assert.equal(response.statusCode === status, !isAllowed, method)
    assert.equal(response.headers.allow, isAllowed ? undefined : allow.join(', '))
    if (isAllowed || method === 'HEAD') continue
    assert.deepEqual(response.json(), { error, code: 'METHOD_NOT_ALLOWED' })
  }
}

/** Only the endpoints that start or end a login set a cookie. */
function assertCookie(name: EndpointName, response: LightMyRequestResponse) {
  const started = LOG_IN_KINDS.find(({ startedBy, createdBy }) =>
    [...startedBy, ...createdBy].includes(name),
  )
  const ended = LOG_IN_KINDS.find(({ logOut }) => logOut === ENDPOINTS[name])
  if (started) assertStarted(started, response)
  else if (ended) assertRemoved(ended, response)
  else assert.equal(response.headers['set-cookie'], undefined)
}

describe('the contract', () => {
  it('every endpoint registers a valid input', () => {
    assert.deepEqual(Object.keys(INPUTS).toSorted(), NAMES.toSorted())
    assert(NAMES.length >= 68)
  })
})

describe('the contract on a normal service', () => {
  let normal: Opened
  before(async () => {
    normal = await openContractService()
  })
  after(() => normal.close())

  for (const name of NAMES) {
    const endpoint = ENDPOINTS[name]
    describe(`${endpoint.method} ${endpoint.path}`, () => {
      let service: ContractService
      let request: Request
      before(async () => {
        const isOwn = callerOf(endpoint) === 'person' || callerOf(endpoint) === 'operator'
        service = isOwn ? await withOwnCaller(normal, endpoint) : normal
        request = await makeRequest(service, name)
      })

      for (const [code, { title, on, check }] of refusalsOf(endpoint)) {
        if (on !== 'normal') continue
        it(`${statusOf(endpoint, code)} ${code} ${title}, and nothing changes`, () =>
          changesNothingAnywhere(service, () => check(service, endpoint, request)))
      }

      it('405 METHOD_NOT_ALLOWED for every method that the path does not have', () =>
        assertOtherMethods(normal, endpoint))

      it('accepts the same request afterwards, at the maximum size and from the same origin', async () => {
        const response = await send(service, endpoint, borderline(endpoint, request))
        const refusal = REFUSED_CONTROLS[name]
        if (refusal) assertRefusal(response, endpoint, refusal)
        else assert.equal(response.statusCode, 200, response.body)
        assertCookie(name, response)
      })
    })
  }
})

describe('the contract without a database', () => {
  let service: Opened
  const requests = new Map<EndpointName, Request>()
  before(async () => {
    service = await openContractService()
    for (const name of NAMES) requests.set(name, await makeRequest(service, name))
    await service.disconnect()
  })
  after(() => service.close())

  for (const name of NAMES) {
    const endpoint = ENDPOINTS[name]
    for (const [code, { title, on, check }] of refusalsOf(endpoint)) {
      if (on !== 'disconnected') continue
      const place = `${endpoint.method} ${endpoint.path}`
      it(`${place} ${statusOf(endpoint, code)} ${code} ${title}, and nothing changes`, () =>
        changesNothingAnywhere(service, () =>
          check(service, endpoint, requests.get(name) ?? assert.fail()),
        ))
    }
  }
})

describe('the contract on a service with low rate limits', () => {
  let throttled: Opened
  before(async () => {
    throttled = await openContractService(THROTTLED_ENV)
  })
  after(() => throttled.close())

  for (const name of NAMES) {
    const endpoint = ENDPOINTS[name]
    for (const [code, { title, on, check }] of refusalsOf(endpoint)) {
      if (on !== 'throttled') continue
      it(`${endpoint.method} ${endpoint.path} ${statusOf(endpoint, code)} ${code} ${title}`, async () => {
        const service = await withOwnCaller(throttled, endpoint)
        // The rate limit of an operator is checked before the input is read.
        const isOperator = callerOf(endpoint) === 'operator'
        const request = isOperator
          ? requestOf(service, endpoint, {})
          : await makeRequest(service, name)
        await check(service, endpoint, request)
      })
    }
  }
})
