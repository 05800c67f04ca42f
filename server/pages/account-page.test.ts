import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startSandbox } from '../../sandbox/start-sandbox.ts'
import { startHarness } from '../test/harness.ts'
import { openPersonSetupWithMail } from '../test/account-setup.ts'
import { stripeEnv } from '../../sandbox/stripe-env.ts'

describe('GET /account', () => {
  let setup: Awaited<ReturnType<typeof openPersonSetupWithMail>>
  before(async () => {
    setup = await openPersonSetupWithMail()
  })
  after(() => setup.close())

  const get = (headers: Record<string, string> = {}) =>
    setup.harness.inject({ method: 'GET', url: '/account', headers })

  it('200 returns the same bytes with and without a login', async () => {
    const { body } = await get()
    const { cookie } = setup.person
    assert.equal((await get({ cookie })).body, body)
    const data = /id="page-data">([^<]*)</.exec(body)?.[1] ?? ''
    assert.deepEqual(JSON.parse(data), {
      serviceName: 'Coffer',
      supportUrl: null,
      hasMailer: true,
      hasTopup: false,
      isSandbox: false,
      passwordMin: 12,
      passkeyHost: 'localhost',
    })
  })

  it('200 names the address of the support', async () => {
    const SUPPORT_URL = 'mailto:help@wallet.example'
    const harness = await startHarness({ SUPPORT_URL })
    const { body } = await harness.inject({ method: 'GET', url: '/account' })
    assert.match(body, /"supportUrl":"mailto:help@wallet.example"/)
    await harness.end()
  })

  it('200 indicates the sandbox', async () => {
    const sandbox = await startSandbox()
    const harness = await startHarness(stripeEnv(sandbox))
    const { body } = await harness.inject({ method: 'GET', url: '/account' })
    assert.match(body, /"hasTopup":true,"isSandbox":true/)
    await harness.end()
    await sandbox.close()
  })
})
