import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { startFaultyLine } from './test/faulty-line.ts'
import { answer, countOperations, openSdkStage, thrownBy, type SdkStage } from './test/sdk-stage.ts'

const UNAVAILABLE = { error: 'Not now.', code: 'SERVICE_UNAVAILABLE' }
const LIMITED = { error: 'Too many.', code: 'RATE_LIMITED' }

let stage: SdkStage
before(async () => {
  stage = await openSdkStage()
})
after(() => stage.end())
beforeEach(() => stage.line.clear())

describe('a service that is not to be reached', () => {
  it('SERVICE_UNAVAILABLE, not OUTCOME_UNKNOWN, when no attempt could be sent', async () => {
    const nowhere = await startFaultyLine(stage.line.url)
    await nowhere.stop()
    const { coffer, input } = await stage.visit({ serviceUrl: nowhere.url, retries: 2 })
    const error = await thrownBy(coffer.debit(input), 'SERVICE_UNAVAILABLE')
    assert.match(error.message, /ECONNREFUSED/)
  })

  it('SERVICE_UNAVAILABLE when the service took none of the attempts', async () => {
    const { coffer, input } = await stage.visit({ retries: 1 })
    stage.line.plan(answer(503, UNAVAILABLE), answer(503, UNAVAILABLE))
    const error = await thrownBy(coffer.debit(input), 'SERVICE_UNAVAILABLE')
    assert.equal(error.status, 503)
    assert.equal(await countOperations(stage, input.referenceId), 0)
  })

  it('reads, sessions and link codes are repeated too, and end with SERVICE_UNAVAILABLE', async () => {
    const { coffer, serviceUserId } = await stage.visit({ retries: 1 })
    const calls: (() => Promise<unknown>)[] = [
      () => coffer.wallet({ serviceUserId }),
      () => coffer.checkBalance({ serviceUserId, requiredAmount: 1 }),
      () => coffer.operation({ referenceType: 'T', referenceId: 'never' }),
      () => coffer.createSession({ serviceUserId }),
    ]
    for (const call of calls) {
      stage.line.plan('lose answer')
      await call()
      assert.equal(stage.line.seen.splice(0).length, 2)
    }
    for (const call of [...calls, () => coffer.exchangeLinkCode({ linkCode: 'lc_any' })]) {
      stage.line.plan('lose answer', 'lose answer')
      await thrownBy(call(), 'SERVICE_UNAVAILABLE')
    }
  })
})

describe('retries', () => {
  it('503, 500 and 429, then success', async () => {
    const { coffer, input } = await stage.visit()
    stage.line.plan(answer(503, UNAVAILABLE), answer(500, { error: 'Oops.' }), answer(429, LIMITED))
    assert.deepEqual([(await coffer.debit(input)).replayed, stage.line.seen.length], [false, 4])
    assert.equal(await countOperations(stage, input.referenceId), 1)
  })

  it('no refusal with 4xx is sent twice', async () => {
    const { coffer, input } = await stage.visit()
    for (const status of [400, 401, 403, 404, 408, 409, 413, 415, 422]) {
      stage.line.plan(answer(status, { error: 'No.' }))
      await thrownBy(coffer.debit(input), 'UNEXPECTED_ANSWER')
      assert.equal(stage.line.seen.splice(0).length, 1, `${status}`)
    }
  })

  it('wait as long as Retry-After says, in seconds or as a date', async () => {
    const { coffer, input } = await stage.visit()
    const date = new Date(Date.now() + 2_500).toUTCString()
    stage.line.plan(
      answer(429, LIMITED, { 'retry-after': '1' }),
      answer(503, UNAVAILABLE, { 'retry-after': date }),
    )
    const startMs = Date.now()
    await coffer.debit(input)
    assert((stage.line.pausesMs()[0] ?? 0) >= 990, stage.line.pausesMs().join())
    assert(Date.now() >= Date.parse(date) - 10, `${Date.now() - startMs} ms`)
  })

  it('RATE_LIMITED at once when Retry-After lies beyond the deadline', async () => {
    const { coffer, input } = await stage.visit()
    stage.line.plan(answer(429, LIMITED, { 'retry-after': '3600' }))
    const error = await thrownBy(coffer.debit(input), 'RATE_LIMITED')
    assert.equal(error.retryAfterSeconds, 3_600)
    assert.equal(stage.line.seen.length, 1)
  })

  it('pause at random, within a bound that doubles', async (test) => {
    const { coffer, serviceUserId } = await stage.visit({ retries: 3 })
    const fault = answer(503, UNAVAILABLE)
    const random = test.mock.method(Math, 'random', () => 0.999)
    stage.line.plan(fault, fault, fault, fault)
    await thrownBy(coffer.wallet({ serviceUserId }), 'SERVICE_UNAVAILABLE')
    const longest = stage.line.pausesMs()
    assert.equal(longest.length, 3)
    assert(
      longest.every((pauseMs, index) => pauseMs > 490 * 2 ** index),
      longest.join(),
    )
    random.mock.mockImplementation(() => 0)
    stage.line.seen.length = 0
    stage.line.plan(fault, fault, fault, fault)
    await thrownBy(coffer.wallet({ serviceUserId }), 'SERVICE_UNAVAILABLE')
    const shortest = stage.line.pausesMs()
    assert(
      shortest.every((pauseMs, index) => pauseMs < (longest[index] ?? 0)),
      shortest.join(),
    )
  })

  it('none with retries: 0', async () => {
    const { coffer, serviceUserId } = await stage.visit({ retries: 0 })
    stage.line.plan(answer(503, UNAVAILABLE))
    await thrownBy(coffer.wallet({ serviceUserId }), 'SERVICE_UNAVAILABLE')
    assert.equal(stage.line.seen.length, 1)
  })

  it('a redirect is never followed: the credentials stay here', async () => {
    const elsewhere = await startFaultyLine(stage.line.url)
    const { coffer, serviceUserId } = await stage.visit()
    stage.line.plan({ status: 307, headers: { location: `${elsewhere.url}/api/server/wallet` } })
    const error = await thrownBy(coffer.wallet({ serviceUserId }), 'UNEXPECTED_ANSWER')
    assert.match(error.message, /Redirects.*serviceUrl/)
    assert.deepEqual([stage.line.seen.length, elsewhere.seen.length], [1, 0])
    await elsewhere.stop()
  })
})
