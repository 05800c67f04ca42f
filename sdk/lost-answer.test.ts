/** When the answer to a debit is lost: never twice, and never in silence. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { isCofferError } from './errors.ts'
import { answer, countOperations, openSdkStage, thrownBy, type SdkStage } from './test/sdk-stage.ts'

const UNAVAILABLE = { error: 'Not now.', code: 'SERVICE_UNAVAILABLE' }
const UNKNOWN = { error: 'The outcome is not known yet.', code: 'OUTCOME_UNKNOWN' }
const LIMITED = { error: 'Too many.', code: 'RATE_LIMITED' }

let stage: SdkStage
before(async () => {
  stage = await openSdkStage()
})
after(() => stage.end())
beforeEach(() => stage.line.clear())

describe('a debit whose answer is lost', () => {
  for (const fault of ['lose answer', 'cut answer', 'hang'] as const) {
    it(`${fault}: is sent again with the same bytes, executed once and replayed`, async () => {
      const { coffer, input, serviceUserId } = await stage.visit({ timeoutMs: 2_000 })
      stage.line.plan(fault)
      const result = await coffer.debit(input)
      assert.deepEqual([result.balance, result.replayed], [90, true])
      assert.equal(stage.line.seen.length, 2)
      assert.equal(stage.line.seen[0]?.body, stage.line.seen[1]?.body)
      assert.equal(await countOperations(stage, input.referenceId), 1)
      assert.equal((await coffer.wallet({ serviceUserId })).balance, 90)
    })
  }

  it('a request that is lost is executed by the next attempt and is no replay', async () => {
    const { coffer, input } = await stage.visit()
    stage.line.plan('lose request')
    const result = await coffer.debit(input)
    assert.deepEqual([result.balance, result.replayed], [90, false])
  })

  it('a refusal whose answer is lost arrives as that refusal', async () => {
    const { coffer, input } = await stage.visit()
    stage.line.plan('lose answer')
    await thrownBy(coffer.debit({ ...input, amount: 500 }), 'INSUFFICIENT_BALANCE')
    assert.equal(stage.line.seen.length, 2)
  })

  it('OUTCOME_UNKNOWN when every answer is lost: it carries the pair, and the pair finds the outcome', async () => {
    const { coffer, input, reference } = await stage.visit({ retries: 2 })
    stage.line.plan('lose answer', 'lose answer', 'lose answer')
    const error = await thrownBy(coffer.debit(input), 'OUTCOME_UNKNOWN')
    assert.deepEqual(error.reference, reference)
    assert.match(error.message, /same referenceType and referenceId/)
    assert.equal(stage.line.seen.length, 3)
    assert.equal((await coffer.operation(error.reference))?.status, 'posted')
    assert.equal((await coffer.debit(input)).replayed, true)
    assert.equal(await countOperations(stage, input.referenceId), 1)
  })

  it('OUTCOME_UNKNOWN on a time-out, within the deadline however many retries are left', async () => {
    const { coffer, input, reference } = await stage.visit({
      timeoutMs: 400,
      deadlineMs: 900,
      retries: 50,
    })
    stage.line.plan('hang', 'hang', 'hang', 'hang', 'hang', 'hang')
    const sentMs = performance.now()
    const error = await thrownBy(coffer.debit(input), 'OUTCOME_UNKNOWN')
    assert(performance.now() - sentMs < 5_000)
    assert.deepEqual(error.reference, reference)
    assert(isCofferError(error.cause, 'SERVICE_UNAVAILABLE'))
    assert.match(error.cause.message, /did not respond within \d+ ms/)
    assert.equal(error.status, undefined)
  })

  it('OUTCOME_UNKNOWN when an attempt was lost and the next is turned away at the door', async () => {
    const { coffer, input } = await stage.visit({ retries: 1 })
    const doors: [number, object][] = [
      [401, { error: 'No.', code: 'INVALID_CLIENT' }],
      [404, { error: 'No.', code: 'USER_NOT_FOUND', requiresAuth: true }],
      [429, LIMITED],
      [503, UNAVAILABLE],
      [302, {}],
    ]
    for (const [status, body] of doors) {
      stage.line.plan('lose answer', answer(status, body))
      const error = await thrownBy(
        coffer.debit({ ...input, referenceId: randomUUID() }),
        'OUTCOME_UNKNOWN',
      )
      assert.equal(error.status, status)
      assert(isCofferError(error.cause))
    }
  })

  it('OUTCOME_UNKNOWN when the service says so to the end, or a gateway does', async () => {
    const { coffer, input, reference } = await stage.visit({ retries: 1 })
    for (const fault of [answer(503, UNKNOWN), answer(500, { error: 'Oops.' }), answer(502, {})]) {
      stage.line.plan(fault, fault)
      const error = await thrownBy(coffer.credit(input), 'OUTCOME_UNKNOWN')
      assert.deepEqual(error.reference, reference)
      assert.equal(stage.line.seen.splice(0).length, 2)
    }
  })

  it("somebody else's page with status 200 is no success", async () => {
    const { coffer, input } = await stage.visit()
    for (const body of ['<html>Welcome</html>', '{"status":"ok"}', '[]', 'null', '']) {
      stage.line.plan({ status: 200, body })
      const error = await thrownBy(coffer.debit(input), 'OUTCOME_UNKNOWN')
      assert(isCofferError(error.cause, 'UNEXPECTED_ANSWER'))
    }
  })
})
