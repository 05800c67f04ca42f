/** If the response to a debit is lost, it is never executed twice, and the loss is never hidden. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { isCofferError } from './errors.ts'
import { countOperations, openSdkSetup, thrownBy, type SdkSetup } from './test/sdk-setup.ts'

let setup: SdkSetup
before(async () => {
  setup = await openSdkSetup()
})
after(() => setup.end())
beforeEach(() => setup.proxy.clear())

describe('a debit whose response is lost', () => {
  for (const fault of ['lose response', 'cut response', 'hang'] as const) {
    it(`${fault}: is sent again with the same bytes, executed once and replayed`, async () => {
      const { coffer, input, serviceUserId } = await setup.addShop({ timeoutMs: 2_000 })
      setup.proxy.plan(fault)
      const result = await coffer.debit(input)
      assert.deepEqual([result.balance, result.replayed], [90, true])
      assert.equal(setup.proxy.seen.length, 2)
      assert.equal(setup.proxy.seen[0]?.body, setup.proxy.seen[1]?.body)
      assert.equal(await countOperations(setup, input.referenceId), 1)
      assert.equal((await coffer.wallet({ serviceUserId })).balance, 90)
    })
  }

  it('a lost request is executed by the next attempt and is not a replay', async () => {
    const { coffer, input } = await setup.addShop()
    setup.proxy.plan('lose request')
    const result = await coffer.debit(input)
    assert.deepEqual([result.balance, result.replayed], [90, false])
  })

  it('a refusal whose response is lost is returned by the next attempt', async () => {
    const { coffer, input } = await setup.addShop()
    setup.proxy.plan('lose response')
    await thrownBy(coffer.debit({ ...input, amount: 500 }), 'INSUFFICIENT_BALANCE')
    assert.equal(setup.proxy.seen.length, 2)
  })

  it('OUTCOME_UNKNOWN when every response is lost, with the pair that finds the outcome', async () => {
    const { coffer, input, reference } = await setup.addShop({ retries: 2 })
    setup.proxy.plan('lose response', 'lose response', 'lose response')
    const error = await thrownBy(coffer.debit(input), 'OUTCOME_UNKNOWN')
    assert.deepEqual(error.reference, reference)
    assert.match(error.message, /same referenceType and referenceId/)
    assert.equal(setup.proxy.seen.length, 3)
    assert.equal((await coffer.operation(error.reference))?.status, 'posted')
    assert.equal((await coffer.debit(input)).replayed, true)
    assert.equal(await countOperations(setup, input.referenceId), 1)
  })

  it('OUTCOME_UNKNOWN on a timeout, within the deadline, however many retries are left', async () => {
    const { coffer, input, reference } = await setup.addShop({
      timeoutMs: 400,
      deadlineMs: 900,
      retries: 50,
    })
    setup.proxy.plan('hang', 'hang', 'hang', 'hang', 'hang', 'hang')
    const sentMs = performance.now()
    const error = await thrownBy(coffer.debit(input), 'OUTCOME_UNKNOWN')
    assert(performance.now() - sentMs < 5_000)
    assert.deepEqual(error.reference, reference)
    assert(isCofferError(error.cause, 'SERVICE_UNAVAILABLE'))
    assert.match(error.cause.message, /did not respond within \d+ ms/)
    assert.equal(error.status, undefined)
  })
})
