import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ADMIN_ENV } from '../test/admin-setup.ts'
import { startHarness, type Harness } from '../test/harness.ts'

const POLICY = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`
const ADDRESSES = ['/admin', '/admin/client-apps', '/admin/client-apps/app_1?tab=secrets']

describe('GET /admin', () => {
  let harness: Harness
  let bare: Harness
  before(async () => {
    harness = await startHarness(ADMIN_ENV)
    bare = await startHarness()
  })
  after(async () => {
    await harness.end()
    await bare.end()
  })

  it('200 returns the same page for all its addresses, which cannot be framed or cached', async () => {
    const bodies = new Set<string>()
    for (const url of ADDRESSES) {
      const { statusCode, headers, body } = await harness.inject({ method: 'GET', url })
      assert.equal(statusCode, 200)
      assert.equal(headers['content-security-policy'], POLICY)
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(headers['set-cookie'], undefined)
      bodies.add(body)
    }
    assert.equal(bodies.size, 1)
    const data = /id="page-data">([^<]*)</.exec([...bodies].join(''))?.[1] ?? ''
    assert.deepEqual(JSON.parse(data), {
      publicOrigin: null,
      isSandbox: false,
      currency: 'USD',
      passwordMin: 12,
      passkeyHost: 'localhost',
    })
  })

  it('503 names the missing setting if no keys are configured, and rejects logins', async () => {
    for (const url of ADDRESSES) {
      const { statusCode, headers, body } = await bare.inject({ method: 'GET', url })
      assert.equal(statusCode, 503)
      assert.match(body, /ADMIN_KEYS/)
      assert.equal(headers['content-security-policy'], POLICY)
    }
    const options = { method: 'POST', url: '/api/admin/sign-in', payload: {} } as const
    assert.equal((await bare.inject(options)).statusCode, 404)
  })
})
