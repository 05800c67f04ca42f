/** What the response of a batch means for each of its calls. */
import assert from 'node:assert/strict'
import { afterEach, describe, it, mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { isCofferError } from './errors.ts'
import { connectionError } from './test/script-fetch.ts'
import { gather, holdCoffer, type HeldRequest } from './test/hold-fetch.ts'

const DONE = { status: 200, balance: 1, message: 'Done.', currency: 'USD', transactionId: 'txn_1' }

afterEach(() => mock.restoreAll())

/** The transactionIds or error codes of calls on the wallets a, b and c, which are in one request. */
async function batchOf(respond: (request: HeldRequest) => void) {
  const held = holdCoffer()
  const results = Promise.all(['a', 'b', 'c'].map((wallet) => held.debit(wallet)))
  await turn()
  const [request] = held.requests
  assert(request?.operations.length === 3)
  respond(request)
  return { ...held, results }
}

async function resultsOf(body: object, status = 200) {
  return (await batchOf((request) => request.respond(status, body))).results
}

describe('a response to the whole batch', () => {
  it('is the response to each call if the request has failed', async () => {
    const refuse = (status: number, code: string) => resultsOf({ error: 'No.', code }, status)
    const expected: [number, string, string][] = [
      [401, 'INVALID_CLIENT', 'INVALID_CLIENT'],
      [403, 'INSUFFICIENT_SCOPE', 'INSUFFICIENT_SCOPE'],
      [429, 'RATE_LIMITED', 'RATE_LIMITED'],
      [503, 'SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE'],
      [503, 'OUTCOME_UNKNOWN', 'OUTCOME_UNKNOWN'],
      [500, 'INTERNAL_ERROR', 'OUTCOME_UNKNOWN'],
      [302, '', 'UNEXPECTED_RESPONSE'],
      [502, '', 'OUTCOME_UNKNOWN'],
    ]
    for (const [status, code, thrown] of expected) {
      assert.deepEqual(await refuse(status, code), [thrown, thrown, thrown], `${status}`)
      mock.restoreAll()
    }
  })

  it('is missing for each call if the connection fails', async () => {
    const reset = await batchOf((request) => request.fail(connectionError('ECONNRESET')))
    assert.deepEqual(await reset.results, Array(3).fill('OUTCOME_UNKNOWN'))
    mock.restoreAll()
    const refused = await batchOf((request) => request.fail(connectionError('ECONNREFUSED')))
    assert.deepEqual(await refused.results, Array(3).fill('SERVICE_UNAVAILABLE'))
  })

  it('with another 4xx is not the response to a call: each is sent alone', async () => {
    for (const status of [400, 404, 405, 413, 415, 422]) {
      const held = await batchOf((request) => request.respond(status, { code: 'INVALID_REQUEST' }))
      await gather()
      const [, first, second, third] = held.requests
      for (const request of [first, second, third]) {
        assert.equal(request?.path, '/api/server/wallet/debit')
      }
      first?.succeed()
      second?.respond(400, { error: 'Wrong.', code: 'INVALID_AMOUNT' })
      third?.succeed()
      assert.deepEqual(await held.results, ['a-1', 'INVALID_AMOUNT', 'c-3'])
      assert.equal(held.requests.length, 4)
      mock.restoreAll()
    }
  })

  it('with another 4xx, after one of the calls has ended: the others are sent', async () => {
    const held = holdCoffer()
    const results = Promise.all(['a', 'b', 'c'].map((wallet) => held.debit(wallet)))
    await turn()
    held.timeouts.find(({ ms }) => ms === 1_000)?.happen()
    held.timeouts[0]?.happen()
    held.requests[0]?.respond(413, {})
    await gather()
    for (const request of held.requests) request.succeed()
    assert.deepEqual(await results, ['OUTCOME_UNKNOWN', 'b-2', 'c-3'])
    assert.equal(held.requests.length, 3)
  })

  it('leaves every outcome unknown if it is a success without a result for each call', async () => {
    const unknown = Array(3).fill('OUTCOME_UNKNOWN')
    for (const body of [
      {},
      DONE,
      { results: [] },
      { results: [DONE, DONE] },
      { results: [DONE, DONE, DONE, DONE] },
      { results: { 0: DONE, length: 3 } },
    ]) {
      assert.deepEqual(await resultsOf(body), unknown, JSON.stringify(body))
      mock.restoreAll()
    }
  })
})

describe('a result', () => {
  it('concerns its own call only', async () => {
    const results = [
      { status: 400, error: 'No.', code: 'INSUFFICIENT_BALANCE' },
      DONE,
      { status: 500, error: 'Oops.', code: 'INTERNAL_ERROR' },
    ]
    assert.deepEqual(await resultsOf({ results }), [
      'INSUFFICIENT_BALANCE',
      'txn_1',
      'OUTCOME_UNKNOWN',
    ])
  })

  it('that cannot be read leaves the outcome of its call unknown', async () => {
    for (const result of [null, 7, 'x', [], {}, { ...DONE, status: '200' }, { status: 200 }]) {
      const received = await resultsOf({ results: [DONE, result, DONE] })
      assert.deepEqual(received, ['txn_1', 'OUTCOME_UNKNOWN', 'txn_1'], JSON.stringify(result))
      mock.restoreAll()
    }
  })

  it('becomes exactly the result or error of the single call', async () => {
    const { coffer, requests } = holdCoffer()
    const input = { serviceUserId: 'a', amount: 1, referenceType: 'T', referenceId: '1' }
    const calls = ['a', 'b', 'c', 'd'].map((serviceUserId) =>
      coffer.debit({ ...input, serviceUserId }).catch((error: unknown) => error),
    )
    await turn()
    const results = [
      { ...DONE, idempotencyReplayed: true },
      { ...DONE, idempotencyMismatch: 'amount, direction', idempotencyReplayed: true },
      { status: 503, error: 'Later.', code: 'SERVICE_UNAVAILABLE', retryAfter: 7 },
      { status: 404, error: 'Gone.', code: 'USER_NOT_FOUND', requiresAuth: true },
    ]
    requests[0]?.respond(200, { results }, { 'x-request-id': 'req-1' })
    const { status: _, ...done } = DONE
    const [replayed, mismatch, unavailable, unlinked] = await Promise.all(calls)
    assert.deepEqual(replayed, { ...done, replayed: true })
    assert(isCofferError(mismatch, 'REPLAY_MISMATCH'))
    assert.deepEqual(mismatch.differs, ['amount', 'direction'])
    assert.deepEqual(mismatch.original, { ...done, status: 'posted' })
    assert(isCofferError(unavailable, 'SERVICE_UNAVAILABLE'))
    assert.deepEqual([unavailable.retryAfterSeconds, unavailable.status], [7, 503])
    assert(isCofferError(unlinked, 'USER_NOT_FOUND'))
    assert.deepEqual(
      [unlinked.message, unlinked.requiresAuth, unlinked.status, unlinked.requestId],
      ['Gone.', true, 404, 'req-1'],
    )
  })

  it('EARLIER_OPERATION_FAILED is SERVICE_UNAVAILABLE, because the call was not executed', async () => {
    const stopped = { status: 503, error: 'x', code: 'EARLIER_OPERATION_FAILED', retryAfter: 1 }
    const { coffer, requests } = holdCoffer()
    const input = { serviceUserId: 'a', amount: 1, referenceType: 'T', referenceId: '1' }
    const calls = [input, { ...input, referenceId: '2' }].map((each) =>
      coffer.debit(each).catch((thrown: unknown) => thrown),
    )
    await turn()
    requests[0]?.respond(200, { results: [stopped, DONE] })
    const [error] = await Promise.all(calls)
    assert(isCofferError(error, 'SERVICE_UNAVAILABLE'))
    assert.match(error.message, /^Not executed, because an earlier call on the same wallet failed/)
    assert.equal(error.docsUrl, 'https://wallet.example/docs/errors/SERVICE_UNAVAILABLE')
    assert.equal(error.retryAfterSeconds, 1)
  })

  it('that can be retried is retried for its call only', async () => {
    mock.method(Math, 'random', () => 0)
    const { debit, requests, sizes } = holdCoffer({ retries: 2 })
    const countOperations = () => sizes().reduce((sum, size) => sum + size, 0)
    const results = Promise.all(['a', 'b', 'c'].map((wallet) => debit(wallet)))
    await turn()
    const later = { status: 503, error: 'Later.', code: 'SERVICE_UNAVAILABLE' }
    requests[0]?.respond(200, { results: [DONE, later, { ...later, code: 'OUTCOME_UNKNOWN' }] })
    for (let tries = 0; tries < 100 && countOperations() < 5; tries++) await gather()
    const again = requests.slice(1)
    assert.deepEqual(
      again.flatMap(({ operations }) => operations.map(({ referenceId }) => referenceId)),
      ['b-2', 'c-3'],
    )
    for (const request of again) request.succeed()
    assert.deepEqual(await results, ['txn_1', 'b-2', 'c-3'])
  })
})
