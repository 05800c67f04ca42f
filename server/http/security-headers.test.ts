import { API_VERSION } from '@coffer/contract/limits'
import { debit, readWallet } from '@coffer/contract/server/wallet'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  assertRefusal,
  call,
  callRaw,
  withCuttableDatabase,
  openSetup,
  type Setup,
} from '../test/setup.ts'

const EXPECTED = {
  'api-version': API_VERSION,
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}
const HSTS = 'max-age=63072000; includeSubDomains'
const NEVER = /^(server|x-powered-by|set-cookie|access-control-.*)$/

function assertSecure({ headers }: LightMyRequestResponse, hsts?: string) {
  const found = Object.keys(EXPECTED).map((name) => [name, headers[name]])
  assert.deepEqual(Object.fromEntries(found), EXPECTED)
  assert.equal(headers['strict-transport-security'], hsts)
  assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/)
  assert.deepEqual(
    Object.keys(headers).filter((name) => NEVER.test(name)),
    [],
  )
}

describe('security headers', () => {
  let setup: Setup
  before(async () => {
    setup = await openSetup()
  })
  after(() => setup.harness.end())

  const get = (url: string, { harness }: Setup = setup) => harness.inject({ method: 'GET', url })
  const wallet = (service: Setup) =>
    call(service, readWallet, { serviceUserId: service.user.serviceUserId })

  /** One request for every kind of response, with its status. */
  function responsesOf(service: Setup): [number, () => Promise<LightMyRequestResponse>][] {
    return [
      [200, () => wallet(service)],
      [200, () => get('/livez', service)],
      [200, () => get('/readyz', service)],
      [200, () => get('/metrics', service)],
      [200, () => get('/docs', service)],
      [200, () => get('/docs/api/', service)],
      [200, () => get('/docs/openapi.json', service)],
      [400, () => call(service, debit, {})],
      [401, () => call(service, readWallet, { clientSecret: 'wrong' })],
      [403, () => call(service, readWallet, {}, { origin: 'https://shop.example' })],
      [404, () => get('/nothing', service)],
      [405, () => service.harness.inject({ method: 'OPTIONS', url: readWallet.path })],
      [413, () => callRaw(service, debit, 'x'.repeat(20_000))],
      [415, () => callRaw(service, debit, 'x', { 'content-type': 'text/plain' })],
    ]
  }

  it('are set on every response, and no header reveals anything about the software', async () => {
    for (const [status, request] of responsesOf(setup)) {
      const response = await request()
      assert.equal(response.statusCode, status)
      assertSecure(response)
    }
  })

  it('include HSTS only if the service is reached over HTTPS', async () => {
    for (const [url, hsts] of [
      ['https://wallet.example', HSTS],
      ['http://wallet.example', undefined],
    ] as const) {
      const service = await openSetup({ PUBLIC_URL: url, ALLOW_UNVERIFIED_EMAIL: 'true' })
      try {
        for (const [, request] of responsesOf(service)) assertSecure(await request(), hsts)
      } finally {
        await service.harness.end()
      }
    }
  })

  it('isolate every response that is not a page', async () => {
    const sealed = `default-src 'none'; frame-ancestors 'none'; sandbox`
    for (const [, request] of responsesOf(setup)) {
      const { headers } = await request()
      if (String(headers['content-type']).startsWith('text/html')) continue
      assert.equal(headers['content-security-policy'], sealed)
    }
  })

  it('include a unique request id, whatever id the caller sends', async () => {
    const headers = { 'x-request-id': 'mine', 'request-id': 'mine' }
    const request = () => setup.harness.inject({ method: 'GET', url: '/livez', headers })
    const ids = (await Promise.all([request(), request()])).map(
      (each) => each.headers['x-request-id'],
    )
    assert.equal(new Set(['mine', ...ids]).size, 3)
  })

  it('grant no permission in response to a CORS preflight', async () => {
    const headers = {
      origin: 'https://shop.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    }
    const url = debit.path
    const response = await setup.harness.inject({ method: 'OPTIONS', url, headers })
    assert.equal(response.statusCode, 405)
    assertSecure(response)
  })

  it('404 NOT_FOUND for every unknown address', async () => {
    const urls = [
      '/',
      '/api',
      '/api/server',
      `${debit.path}/`,
      `${debit.path}x`,
      '/Api/server/wallet',
    ]
    for (const url of urls) assertRefusal(await get(url), { errors: {} }, 'NOT_FOUND')
  })

  it('are set on the response to a URL that cannot be decoded, which is not echoed', async () => {
    const response = await get('/api/%zz?clientSecret=hush')
    assertRefusal(response, { errors: {} }, 'NOT_FOUND')
    assertSecure(response)
  })
})

describe('health and metrics', () => {
  const DOWN = { status: 'the database does not respond' }

  it('/livez returns 200 and /readyz returns 503 while the database is down', () =>
    withCuttableDatabase(async ({ harness }, _admin, cut) => {
      const get = (url: string) => harness.inject({ method: 'GET', url })
      for (const url of ['/livez', '/readyz']) {
        const response = await get(url)
        assert.deepEqual([response.statusCode, response.json()], [200, { status: 'ok' }])
      }
      await cut()
      const ready = await get('/readyz')
      assert.deepEqual([ready.statusCode, ready.json()], [503, DOWN])
      assertSecure(ready)
      const live = await get('/livez')
      assert.deepEqual([live.statusCode, live.json()], [200, { status: 'ok' }])
    }))

  it('/metrics reports requests by route and status, and batches of the ledger', async () => {
    const setup = await openSetup()
    try {
      const { serviceUserId } = setup.user
      const pair = { referenceType: 'ORDER', referenceId: '1' }
      await call(setup, debit, { serviceUserId, amount: 1, ...pair })
      await call(setup, debit, { serviceUserId, amount: 1, ...pair, clientSecret: 'wrong' })
      await setup.harness.inject({ method: 'GET', url: '/nothing?here' })
      const response = await setup.harness.inject({ method: 'GET', url: '/metrics' })
      assert.match(String(response.headers['content-type']), /^text\/plain; version=0\.0\.4/)
      const count = (method: string, route: string, status: number) =>
        `coffer_request_seconds_count{method="${method}",route="${route}",status="${status}"} 1\n`
      for (const line of [
        count('POST', debit.path, 200),
        count('POST', debit.path, 401),
        count('GET', 'unknown', 404),
        'coffer_ledger_queue_operations 0\n',
        'coffer_ledger_batch_retries_total 0\n',
      ]) {
        assert(response.body.includes(line), line)
      }
      assert.match(response.body, /coffer_ledger_batch_operations_count [1-9]/)
      assert.match(response.body, /coffer_ledger_batch_seconds_count [1-9]/)
      assert.match(response.body, /process_cpu_seconds_total/)
    } finally {
      await setup.harness.end()
    }
  })
})
