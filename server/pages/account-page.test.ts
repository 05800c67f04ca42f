import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startSandbox } from '../../sandbox/start-sandbox.ts'
import { startHarness } from '../test/harness.ts'
import { openPersonStageWithMail } from '../test/account-setup.ts'
import { stripeEnv } from '../../sandbox/stripe-env.ts'

describe('GET /account', () => {
  let stage: Awaited<ReturnType<typeof openPersonStageWithMail>>
  before(async () => {
    stage = await openPersonStageWithMail()
  })
  after(() => stage.close())

  const get = (headers: Record<string, string> = {}) =>
    stage.harness.inject({ method: 'GET', url: '/account', headers })

  it('200 lets nothing in that is not ours, is framed by nobody and kept by nobody', async () => {
    const { statusCode, headers } = await get()
    assert.equal(statusCode, 200)
    assert.equal(
      headers['content-security-policy'],
      `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'`,
    )
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['set-cookie'], undefined)
  })

  it('200 the same to the byte for everybody, logged in or not', async () => {
    const { body } = await get()
    const { cookie } = stage.person
    assert.equal((await get({ cookie })).body, body)
    const data = /id="page-data">([^<]*)</.exec(body)?.[1] ?? ''
    assert.deepEqual(JSON.parse(data), { hasMailer: true, isSandbox: false, passwordMin: 12 })
  })

  it('200 says so where only test cards are charged', async () => {
    const sandbox = await startSandbox()
    const harness = await startHarness(stripeEnv(sandbox))
    const { body } = await harness.inject({ method: 'GET', url: '/account' })
    assert.match(body, /"isSandbox":true/)
    await harness.end()
    await sandbox.close()
  })
})
