import { API_VERSION } from '@coffer/contract/limits'
import { debit, readWallet } from '@coffer/contract/server-api'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  assertRefusal,
  call,
  callRaw,
  onFragileStage,
  openStage,
  type Stage,
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
  let stage: Stage
  before(async () => {
    stage = await openStage()
  })
  after(() => stage.harness.end())

  const get = (url: string, { harness }: Stage = stage) => harness.inject({ method: 'GET', url })
  const wallet = (there: Stage) =>
    call(there, readWallet, { serviceUserId: there.user.serviceUserId })

  /** One answer of every kind, with its status. */
  function answersOf(there: Stage): [number, () => Promise<LightMyRequestResponse>][] {
    return [
      [200, () => wallet(there)],
      [200, () => get('/livez', there)],
      [200, () => get('/readyz', there)],
      [200, () => get('/metrics', there)],
      [200, () => get('/docs', there)],
      [200, () => get('/docs/api/', there)],
      [200, () => get('/docs/openapi.json', there)],
      [400, () => call(there, debit, {})],
      [401, () => call(there, readWallet, { clientSecret: 'wrong' })],
      [403, () => call(there, readWallet, {}, { origin: 'https://shop.example' })],
      [404, () => get('/nothing', there)],
      [404, () => there.harness.inject({ method: 'OPTIONS', url: readWallet.path })],
      [413, () => callRaw(there, debit, 'x'.repeat(20_000))],
      [415, () => callRaw(there, debit, 'x', { 'content-type': 'text/plain' })],
    ]
  }

  it('stand on every answer, and none that gives something away', async () => {
    for (const [status, ask] of answersOf(stage)) {
      const response = await ask()
      assert.equal(response.statusCode, status)
      assertSecure(response)
    }
  })

  it('name HSTS when people reach the service by HTTPS, and only then', async () => {
    for (const [url, hsts] of [
      ['https://wallet.example', HSTS],
      ['http://wallet.example', undefined],
    ] as const) {
      const there = await openStage({ PUBLIC_URL: url, ALLOW_UNVERIFIED_EMAIL: 'true' })
      try {
        for (const [, ask] of answersOf(there)) assertSecure(await ask(), hsts)
      } finally {
        await there.harness.end()
      }
    }
  })

  it('give every answer an id of its own, whatever the caller proposes', async () => {
    const headers = { 'x-request-id': 'mine', 'request-id': 'mine' }
    const ask = () => stage.harness.inject({ method: 'GET', url: '/livez', headers })
    const ids = (await Promise.all([ask(), ask()])).map((each) => each.headers['x-request-id'])
    assert.equal(new Set(['mine', ...ids]).size, 3)
  })

  it('answer a preflight with no permission at all', async () => {
    const headers = {
      origin: 'https://shop.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    }
    const url = debit.path
    const response = await stage.harness.inject({ method: 'OPTIONS', url, headers })
    assertRefusal(response, { errors: {} }, 'NOT_FOUND')
    assertSecure(response)
  })

  it('404 NOT_FOUND is the answer to every address and method that we do not know', async () => {
    const urls = [
      '/',
      '/api',
      '/api/server',
      `${debit.path}/`,
      `${debit.path}x`,
      '/Api/server/wallet',
    ]
    for (const url of urls) assertRefusal(await get(url), { errors: {} }, 'NOT_FOUND')
    for (const method of ['GET', 'PUT', 'DELETE', 'HEAD'] as const) {
      const response = await stage.harness.inject({ method, url: debit.path })
      assertRefusal(response, { errors: {} }, 'NOT_FOUND')
    }
  })

  it('stand on the answer to an address that cannot be decoded, which is not echoed', async () => {
    const response = await get('/api/%zz?clientSecret=hush')
    assertRefusal(response, { errors: {} }, 'NOT_FOUND')
    assertSecure(response)
  })

  it('leave the API reference to itself: it may load nothing from elsewhere', async () => {
    const { headers } = await get('/docs/api/')
    const policy = String(headers['content-security-policy'])
    for (const part of [`default-src 'none'`, `frame-ancestors 'none'`, `base-uri 'none'`]) {
      assert(policy.includes(part))
    }
    assert.doesNotMatch(policy, /https?:|\*/)
  })
})

describe('health and metrics', () => {
  const DOWN = { status: 'the database does not respond' }

  it('/livez lives and /readyz is not ready while the database is away', () =>
    onFragileStage(async ({ harness }, _admin, cut) => {
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

  it('/metrics counts requests by route and status, and batches of the ledger', async () => {
    const stage = await openStage()
    try {
      const { serviceUserId } = stage.user
      const pair = { referenceType: 'ORDER', referenceId: '1' }
      await call(stage, debit, { serviceUserId, amount: 1, ...pair })
      await call(stage, debit, { serviceUserId, amount: 1, ...pair, clientSecret: 'wrong' })
      await stage.harness.inject({ method: 'GET', url: '/nothing?here' })
      const response = await stage.harness.inject({ method: 'GET', url: '/metrics' })
      assert.match(String(response.headers['content-type']), /^text\/plain; version=0\.0\.4/)
      const count = (method: string, route: string, status: number) =>
        `coffer_request_seconds_count{method="${method}",route="${route}",status="${status}"} 1\n`
      for (const line of [
        count('POST', debit.path, 200),
        count('POST', debit.path, 401),
        count('GET', 'unknown', 404),
        'coffer_ledger_queue_operations 0\n',
        'coffer_ledger_batches_run_again_total 0\n',
      ]) {
        assert(response.body.includes(line), line)
      }
      assert.match(response.body, /coffer_ledger_batch_operations_count [1-9]/)
      assert.match(response.body, /coffer_ledger_batch_seconds_count [1-9]/)
      assert.match(response.body, /process_cpu_seconds_total/)
    } finally {
      await stage.harness.end()
    }
  })
})
