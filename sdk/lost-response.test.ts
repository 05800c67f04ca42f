/** If the response to a debit is lost, it is never executed twice, and the loss is never hidden. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { isCofferError } from './errors.ts'
import {
  response,
  countOperations,
  openSdkSetup,
  thrownBy,
  type SdkSetup,
} from './test/sdk-setup.ts'

const UNAVAILABLE = { error: 'Not now.', code: 'SERVICE_UNAVAILABLE' }
const UNKNOWN = { error: 'The outcome is not known yet.', code: 'OUTCOME_UNKNOWN' }
const LIMITED = { error: 'Too many.', code: 'RATE_LIMITED' }

let setup: SdkSetup
before(async () => {
  setup = await openSdkSetup()
})
after(() => setup.end())
beforeEach(() => setup.line.clear())

describe('a debit whose response is lost', () => {
  for (const fault of ['lose response', 'cut response', 'hang'] as const) {
    it(`${fault}: is sent again with the same bytes, executed once and replayed`, async () => {
      const { coffer, input, serviceUserId } = await setup.visit({ timeoutMs: 2_000 })
      setup.line.plan(fault)
      const result = await coffer.debit(input)
      assert.deepEqual([result.balance, result.replayed], [90, true])
      assert.equal(setup.line.seen.length, 2)
      assert.equal(setup.line.seen[0]?.body, setup.line.seen[1]?.body)
      assert.equal(await countOperations(setup, input.referenceId), 1)
      assert.equal((await coffer.wallet({ serviceUserId })).balance, 90)
    })
  }

  it('a lost request is executed by the next attempt and is not a replay', async () => {
    const { coffer, input } = await setup.visit()
    setup.line.plan('lose request')
    const result = await coffer.debit(input)
    assert.deepEqual([result.balance, result.replayed], [90, false])
  })

  it('a refusal whose response is lost is returned by the next attempt', async () => {
    const { coffer, input } = await setup.visit()
    setup.line.plan('lose response')
    await thrownBy(coffer.debit({ ...input, amount: 500 }), 'INSUFFICIENT_BALANCE')
    assert.equal(setup.line.seen.length, 2)
  })

  it('OUTCOME_UNKNOWN when every response is lost, with the pair that finds the outcome', async () => {
    const { coffer, input, reference } = await setup.visit({ retries: 2 })
    setup.line.plan('lose response', 'lose response', 'lose response')
    const error = await thrownBy(coffer.debit(input), 'OUTCOME_UNKNOWN')
    assert.deepEqual(error.reference, reference)
    assert.match(error.message, /same referenceType and referenceId/)
    assert.equal(setup.line.seen.length, 3)
    assert.equal((await coffer.operation(error.reference))?.status, 'posted')
    assert.equal((await coffer.debit(input)).replayed, true)
    assert.equal(await countOperations(setup, input.referenceId), 1)
  })

  it('OUTCOME_UNKNOWN on a timeout, within the deadline, however many retries are left', async () => {
    const { coffer, input, reference } = await setup.visit({
      timeoutMs: 400,
      deadlineMs: 900,
      retries: 50,
    })
    setup.line.plan('hang', 'hang', 'hang', 'hang', 'hang', 'hang')
    const sentMs = performance.now()
    const error = await thrownBy(coffer.debit(input), 'OUTCOME_UNKNOWN')
    assert(performance.now() - sentMs < 5_000)
    assert.deepEqual(error.reference, reference)
    assert(isCofferError(error.cause, 'SERVICE_UNAVAILABLE'))
    assert.match(error.cause.message, /did not respond within \d+ ms/)
    assert.equal(error.status, undefined)
  })

  it('OUTCOME_UNKNOWN when one attempt is lost and the next is rejected before it is executed', async () => {
    const { coffer, input } = await setup.visit({ retries: 1 })
    const rejections: [number, object][] = [
      [401, { error: 'No.', code: 'INVALID_CLIENT' }],
      [404, { error: 'No.', code: 'USER_NOT_FOUND', requiresAuth: true }],
      [429, LIMITED],
      [503, UNAVAILABLE],
      [302, {}],
    ]
    for (const [status, body] of rejections) {
      setup.line.plan('lose response', response(status, body))
      const error = await thrownBy(
        coffer.debit({ ...input, referenceId: randomUUID() }),
        'OUTCOME_UNKNOWN',
      )
      assert.equal(error.status, status)
      assert(isCofferError(error.cause))
    }
  })

  it('OUTCOME_UNKNOWN when every attempt gets it from the service or an error from a gateway', async () => {
    const { coffer, input, reference } = await setup.visit({ retries: 1 })
    for (const fault of [
      response(503, UNKNOWN),
      response(500, { error: 'Oops.' }),
      response(502, {}),
    ]) {
      setup.line.plan(fault, fault)
      const error = await thrownBy(coffer.credit(input), 'OUTCOME_UNKNOWN')
      assert.deepEqual(error.reference, reference)
      assert.equal(setup.line.seen.splice(0).length, 2)
    }
  })

  it('an unrelated page with status 200 is not a success', async () => {
    const { coffer, input } = await setup.visit()
    for (const body of ['<html>Welcome</html>', '{"status":"ok"}', '[]', 'null', '']) {
      setup.line.plan({ status: 200, body })
      const error = await thrownBy(coffer.debit(input), 'OUTCOME_UNKNOWN')
      assert(isCofferError(error.cause, 'UNEXPECTED_RESPONSE'))
    }
  })
})
