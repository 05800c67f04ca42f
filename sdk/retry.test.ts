import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { startFaultyLine } from './test/faulty-line.ts'
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
beforeEach(() => setup.line.clear())

describe('a service that cannot be reached', () => {
  it('SERVICE_UNAVAILABLE, not OUTCOME_UNKNOWN, when no attempt could be sent', async () => {
    const nowhere = await startFaultyLine(setup.line.url)
    await nowhere.stop()
    const { coffer, input } = await setup.visit({ serviceUrl: nowhere.url, retries: 2 })
    const error = await thrownBy(coffer.debit(input), 'SERVICE_UNAVAILABLE')
    assert.match(error.message, /ECONNREFUSED/)
  })

  it('SERVICE_UNAVAILABLE when the service accepted none of the attempts', async () => {
    const { coffer, input } = await setup.visit({ retries: 1 })
    setup.line.plan(response(503, UNAVAILABLE), response(503, UNAVAILABLE))
    const error = await thrownBy(coffer.debit(input), 'SERVICE_UNAVAILABLE')
    assert.equal(error.status, 503)
    assert.equal(await countOperations(setup, input.referenceId), 0)
  })

  it('SERVICE_UNAVAILABLE for reads, sessions and link codes, after retries', async () => {
    const { coffer, serviceUserId } = await setup.visit({ retries: 1 })
    const calls: (() => Promise<unknown>)[] = [
      () => coffer.wallet({ serviceUserId }),
      () => coffer.checkBalance({ serviceUserId, requiredAmount: 1 }),
      () => coffer.operation({ referenceType: 'T', referenceId: 'never' }),
      () => coffer.createSession({ serviceUserId }),
    ]
    for (const call of calls) {
      setup.line.plan('lose response')
      await call()
      assert.equal(setup.line.seen.splice(0).length, 2)
    }
    for (const call of [...calls, () => coffer.exchangeLinkCode({ linkCode: 'lc_any' })]) {
      setup.line.plan('lose response', 'lose response')
      await thrownBy(call(), 'SERVICE_UNAVAILABLE')
    }
  })
})

describe('retries', () => {
  it('succeed after 503, 500 and 429', async () => {
    const { coffer, input } = await setup.visit()
    setup.line.plan(
      response(503, UNAVAILABLE),
      response(500, { error: 'Oops.' }),
      response(429, LIMITED),
    )
    assert.deepEqual([(await coffer.debit(input)).replayed, setup.line.seen.length], [false, 4])
    assert.equal(await countOperations(setup, input.referenceId), 1)
  })

  it('do not repeat a request that was refused with 4xx', async () => {
    const { coffer, input } = await setup.visit()
    for (const status of [400, 401, 403, 404, 408, 409, 413, 415, 422]) {
      setup.line.plan(response(status, { error: 'No.' }))
      await thrownBy(coffer.debit(input), 'UNEXPECTED_RESPONSE')
      assert.equal(setup.line.seen.splice(0).length, 1, `${status}`)
    }
  })

  it('wait for the time in Retry-After, in seconds or as a date', async () => {
    const { coffer, input } = await setup.visit()
    const date = new Date(Date.now() + 2_500).toUTCString()
    setup.line.plan(
      response(429, LIMITED, { 'retry-after': '1' }),
      response(503, UNAVAILABLE, { 'retry-after': date }),
    )
    const startMs = Date.now()
    await coffer.debit(input)
    assert((setup.line.pausesMs()[0] ?? 0) >= 990, setup.line.pausesMs().join())
    assert(Date.now() >= Date.parse(date) - 10, `${Date.now() - startMs} ms`)
  })

  it('RATE_LIMITED at once when Retry-After exceeds the deadline', async () => {
    const { coffer, input } = await setup.visit()
    setup.line.plan(response(429, LIMITED, { 'retry-after': '3600' }))
    const error = await thrownBy(coffer.debit(input), 'RATE_LIMITED')
    assert.equal(error.retryAfterSeconds, 3_600)
    assert.equal(setup.line.seen.length, 1)
  })

  it('wait for a random time, within a bound that doubles', async (test) => {
    const { coffer, serviceUserId } = await setup.visit({ retries: 3 })
    const fault = response(503, UNAVAILABLE)
    const random = test.mock.method(Math, 'random', () => 0.999)
    setup.line.plan(fault, fault, fault, fault)
    await thrownBy(coffer.wallet({ serviceUserId }), 'SERVICE_UNAVAILABLE')
    const longest = setup.line.pausesMs()
    assert.equal(longest.length, 3)
    assert(
      longest.every((pauseMs, index) => pauseMs > 490 * 2 ** index),
      longest.join(),
    )
    random.mock.mockImplementation(() => 0)
    setup.line.seen.length = 0
    setup.line.plan(fault, fault, fault, fault)
    await thrownBy(coffer.wallet({ serviceUserId }), 'SERVICE_UNAVAILABLE')
    const shortest = setup.line.pausesMs()
    assert(
      shortest.every((pauseMs, index) => pauseMs < (longest[index] ?? 0)),
      shortest.join(),
    )
  })

  it('do not happen with retries: 0', async () => {
    const { coffer, serviceUserId } = await setup.visit({ retries: 0 })
    setup.line.plan(response(503, UNAVAILABLE))
    await thrownBy(coffer.wallet({ serviceUserId }), 'SERVICE_UNAVAILABLE')
    assert.equal(setup.line.seen.length, 1)
  })

  it('never follow a redirect, which would send the credentials elsewhere', async () => {
    const elsewhere = await startFaultyLine(setup.line.url)
    const { coffer, serviceUserId } = await setup.visit()
    setup.line.plan({ status: 307, headers: { location: `${elsewhere.url}/api/server/wallet` } })
    const error = await thrownBy(coffer.wallet({ serviceUserId }), 'UNEXPECTED_RESPONSE')
    assert.match(error.message, /Redirects.*serviceUrl/)
    assert.deepEqual([setup.line.seen.length, elsewhere.seen.length], [1, 0])
    await elsewhere.stop()
  })
})
