/** Batches, against the real service on a real socket. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { makeClientApp, makeLinkedUser } from '../server/test/factories.ts'
import type { BatchOperation, BatchResult } from './types.ts'
import { newReference, openSdkSetup, response, thrownBy, type SdkSetup } from './test/sdk-setup.ts'

let setup: SdkSetup
before(async () => {
  setup = await openSdkSetup()
})
after(() => setup.end())
beforeEach(() => setup.proxy.clear())

const codesOf = (results: BatchResult[]) => results.map(({ status, code }) => [status, code])

describe('batch', () => {
  it('executes operations of every type, in order, and returns the result of each', async () => {
    const { coffer, serviceUserId } = await setup.addShop()
    const [debit, held] = [newReference(), newReference()]
    const hold = { type: 'hold', serviceUserId, amount: 20 } as const
    const results = await coffer.batch([
      { type: 'debit', serviceUserId, amount: '19.99', ...debit, metadata: { table: '12' } },
      { type: 'credit', serviceUserId, amount: 5, ...newReference() },
      { type: 'refund', debit, amount: 9.99, ...newReference() },
      { ...hold, ...held, expiresInSeconds: 3600 },
      { type: 'capture', hold: held, amount: 4, isFinal: false, ...newReference() },
      { type: 'release', hold: held, ...newReference() },
    ])
    const moved = results.map((result) => {
      assert(result.status === 200)
      const { balance, refundable, captured, released } = result
      return [balance, refundable, captured, released]
    })
    assert.deepEqual(moved, [
      [80.01, undefined, undefined, undefined],
      [85.01, undefined, undefined, undefined],
      [95, 10, undefined, undefined],
      [75, undefined, undefined, undefined],
      [75, undefined, 4, 0],
      [91, undefined, undefined, 16],
    ])
    assert.equal(setup.proxy.seen.length, 1)
    assert.deepEqual((await coffer.operation(debit))?.metadata, { table: '12' })
  })

  it('returns the error of each operation that is refused, and executes the others', async () => {
    const { coffer, serviceUserId, input } = await setup.addShop()
    const debit = { type: 'debit', ...input } as const
    const results = await coffer.batch([
      { ...debit, amount: 500, ...newReference() },
      { ...debit, serviceUserId: 'su_unknown', ...newReference() },
      { ...debit, amount: 1.234, ...newReference() },
      debit,
      debit,
    ])
    assert.deepEqual(codesOf(results), [
      [400, 'INSUFFICIENT_BALANCE'],
      [404, 'USER_NOT_FOUND'],
      [400, 'INVALID_AMOUNT'],
      [200, undefined],
      [200, undefined],
    ])
    const [refused, unknown, invalid, first, again] = results
    assert(refused?.status === 400 && unknown?.status === 404 && invalid?.status === 400)
    assert.equal(invalid.field, 'amount')
    assert.match(invalid.error, /field amount must be positive .+ at most 2 decimals/)
    assert.match(refused.error, /Use a new referenceId for a new attempt\.$/)
    assert.equal(unknown.requiresAuth, true)
    assert.deepEqual(again, { idempotencyReplayed: true, ...first })
    assert.equal((await coffer.wallet({ serviceUserId })).balance, 90)
  })

  for (const onMismatch of ['replay', 'conflict'] as const) {
    it(`REPLAY_MISMATCH for a reference that was used with other fields, with the setting ${onMismatch}`, async () => {
      const app = await makeClientApp(setup.harness.context, { onMismatch })
      const { serviceUserId } = await makeLinkedUser(setup.harness.context, app, 100_00n)
      const coffer = setup.as(app)
      const debit = { type: 'debit', serviceUserId, amount: 10, ...newReference() } as const
      const large = { ...debit, amount: 500, ...newReference() }
      const [posted, refused] = await coffer.batch([debit, large])
      const single = await thrownBy(coffer.debit({ ...debit, amount: 20 }), 'REPLAY_MISMATCH')
      const changed = [
        { ...debit, amount: 20 },
        { ...large, amount: 1 },
      ]
      const results = await coffer.batch(changed)
      for (const [index, first] of [posted, refused].entries()) {
        const result = results[index]
        assert(result?.status === 409)
        const { original, ...mismatch } = result
        assert.deepEqual(mismatch, {
          status: 409,
          code: 'REPLAY_MISMATCH',
          error: single.message,
          idempotencyReplayed: true,
          idempotencyMismatch: 'amount',
        })
        const type = onMismatch === 'conflict' ? { type: 'debit' } : {}
        assert.deepEqual(original, { ...type, ...first })
      }
      assert.equal((await coffer.wallet({ serviceUserId })).balance, 90)
    })
  }

  it('REFERENCE_MISMATCH for a reference of an operation of another type', async () => {
    const { coffer, input } = await setup.addShop()
    await coffer.debit(input)
    const results = await coffer.batch([{ type: 'hold', ...input }])
    assert.deepEqual(codesOf(results), [[409, 'REFERENCE_MISMATCH']])
  })

  it('ACCOUNT_NOT_LINKED if one operation has no serviceUserId, before any request', async () => {
    const { coffer, input } = await setup.addShop()
    for (const type of ['debit', 'credit', 'hold'] as const) {
      for (const serviceUserId of [undefined, null, '']) {
        const missing: BatchOperation = { type, ...input, serviceUserId }
        await thrownBy(coffer.batch([{ type, ...input }, missing]), 'ACCOUNT_NOT_LINKED')
      }
    }
    assert.deepEqual(setup.proxy.seen, [])
  })

  it('INVALID_REQUEST without operations and for more than 100', async () => {
    const { coffer, input } = await setup.addShop()
    for (const length of [0, 101]) {
      const many = Array.from({ length }, () => ({ type: 'debit', ...input }) as const)
      const error = await thrownBy(coffer.batch(many), 'INVALID_REQUEST')
      assert.equal(error.field, 'operations')
    }
  })
})

describe('a batch whose response is lost', () => {
  it('is sent again with the same bytes, and executed once', async () => {
    const { coffer, serviceUserId, input } = await setup.addShop()
    setup.proxy.plan('lose response')
    const [result] = await coffer.batch([{ type: 'debit', ...input }])
    assert.deepEqual([result?.status, result?.idempotencyReplayed], [200, true])
    assert.equal(setup.proxy.seen.length, 2)
    assert.equal(setup.proxy.seen[0]?.body, setup.proxy.seen[1]?.body)
    assert.equal((await coffer.wallet({ serviceUserId })).balance, 90)
  })

  it('OUTCOME_UNKNOWN is the result of each operation when every response is lost', async () => {
    const { coffer, input } = await setup.addShop({ retries: 1 })
    const operations = [input, { ...input, ...newReference() }].map(
      (each) => ({ type: 'debit', ...each }) as const,
    )
    setup.proxy.plan('lose response', 'lose response')
    const results = await coffer.batch(operations)
    const unknown = [503, 'OUTCOME_UNKNOWN']
    assert.deepEqual(codesOf(results), [unknown, unknown])
    assert.match(results[0]?.status === 503 ? results[0].error : '', /The connection .* failed/)
    const again = await coffer.batch(operations)
    assert.deepEqual(
      again.map(({ status, idempotencyReplayed }) => [status, idempotencyReplayed]),
      [
        [200, true],
        [200, true],
      ],
    )
  })

  it('OUTCOME_UNKNOWN for an operation without a result', async () => {
    const { coffer, input } = await setup.addShop()
    const results = [{ status: 503, code: 'EARLIER_OPERATION_FAILED', error: 'No.', retryAfter: 1 }]
    setup.proxy.plan(response(200, { results }))
    const debit = { type: 'debit', ...input } as const
    const [first, second] = await coffer.batch([debit, { ...debit, ...newReference() }])
    assert.deepEqual(first, results[0])
    assert.deepEqual([second?.status, second?.code], [503, 'OUTCOME_UNKNOWN'])
  })

  it('throws only if no attempt executed anything', async () => {
    const { coffer, input } = await setup.addShop({ retries: 1 })
    const refusal = { code: 'SERVICE_UNAVAILABLE', error: 'Busy.' }
    const operations = [{ type: 'debit', ...input }] as const
    setup.proxy.plan(response(503, refusal), response(503, refusal))
    await thrownBy(coffer.batch(operations), 'SERVICE_UNAVAILABLE')
    setup.proxy.plan('lose response', response(503, refusal))
    assert.deepEqual(codesOf(await coffer.batch(operations)), [[503, 'OUTCOME_UNKNOWN']])
    assert.equal((await coffer.debit(input)).replayed, true)
  })
})
