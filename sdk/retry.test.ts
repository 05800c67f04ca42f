import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { startFaultyProxy } from './test/faulty-proxy.ts'
import {
  response,
  countOperations,
  openSdkSetup,
  thrownBy,
  type SdkSetup,
} from './test/sdk-setup.ts'

const UNAVAILABLE = { error: 'Not now.', code: 'SERVICE_UNAVAILABLE' }
const LIMITED = { error: 'Too many.', code: 'RATE_LIMITED' }

let setup: SdkSetup
before(async () => {
  setup = await openSdkSetup()
})
after(() => setup.end())
beforeEach(() => setup.proxy.clear())

describe('a service that cannot be reached', () => {
  it('SERVICE_UNAVAILABLE, not OUTCOME_UNKNOWN, when no attempt could be sent', async () => {
    const nowhere = await startFaultyProxy(setup.proxy.url)
    await nowhere.stop()
    const { coffer, input } = await setup.addShop({ serviceUrl: nowhere.url, retries: 2 })
    const error = await thrownBy(coffer.debit(input), 'SERVICE_UNAVAILABLE')
    assert.match(error.message, /ECONNREFUSED/)
  })
})

describe('retries', () => {
  it('succeed after 503, 500 and 429', async () => {
    const { coffer, input } = await setup.addShop()
    setup.proxy.plan(
      response(503, UNAVAILABLE),
      response(500, { error: 'Oops.' }),
      response(429, LIMITED),
    )
    assert.deepEqual([(await coffer.debit(input)).replayed, setup.proxy.seen.length], [false, 4])
    assert.equal(await countOperations(setup, input.referenceId), 1)
  })

  it('wait for the time in Retry-After, in seconds or as a date', async () => {
    const { coffer, input } = await setup.addShop()
    const date = new Date(Date.now() + 2_500).toUTCString()
    setup.proxy.plan(
      response(429, LIMITED, { 'retry-after': '1' }),
      response(503, UNAVAILABLE, { 'retry-after': date }),
    )
    const startMs = Date.now()
    await coffer.debit(input)
    assert((setup.proxy.delaysMs()[0] ?? 0) >= 990, setup.proxy.delaysMs().join())
    assert(Date.now() >= Date.parse(date) - 10, `${Date.now() - startMs} ms`)
  })

  it('never follow a redirect, which would send the credentials elsewhere', async () => {
    const elsewhere = await startFaultyProxy(setup.proxy.url)
    const { coffer, serviceUserId } = await setup.addShop()
    setup.proxy.plan({ status: 307, headers: { location: `${elsewhere.url}/api/server/wallet` } })
    const error = await thrownBy(coffer.wallet({ serviceUserId }), 'UNEXPECTED_RESPONSE')
    assert.match(error.message, /Redirects.*serviceUrl/)
    assert.deepEqual([setup.proxy.seen.length, elsewhere.seen.length], [1, 0])
    await elsewhere.stop()
  })
})
