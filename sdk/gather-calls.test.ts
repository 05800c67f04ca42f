/** Which calls share a request, and when it is sent. */
import assert from 'node:assert/strict'
import { afterEach, describe, it, mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { gather, holdCoffer } from './test/hold-fetch.ts'

const SINGLE = '/api/server/wallet/debit'
const BATCH = '/api/server/wallet/batch'

afterEach(() => mock.restoreAll())

describe('a call with batch: true', () => {
  it('is sent at once and alone when no request is in flight', async () => {
    const { debit, requests } = holdCoffer()
    for (const wallet of ['a', 'b']) {
      const result = debit(wallet)
      await turn()
      assert.equal(requests.at(-1)?.path, SINGLE)
      requests.at(-1)?.succeed()
      assert.equal((await result).split('-')[0], wallet)
    }
    assert.equal(requests.length, 2)
  })

  it('shares a request with all calls of the same turn, up to 100', async () => {
    const { debit, requests, sizes } = holdCoffer()
    const results = Array.from({ length: 256 }, (_, index) => debit(`w${index}`))
    await turn()
    assert.deepEqual(sizes(), [100, 100, 56])
    for (const { path } of requests) assert.equal(path, BATCH)
    for (const request of requests) request.succeed()
    const received = await Promise.all(results)
    assert.deepEqual(
      received,
      received.map((_, index) => `w${index}-${index + 1}`),
    )
  })

  it('sends the fields of the single call and its type', async () => {
    const { coffer, requests } = holdCoffer()
    const one = { serviceUserId: 'a', amount: '19.99', referenceType: 'T', referenceId: '1' }
    const two = { ...one, serviceUserId: 'b', amount: 5, description: 'Tea "to go"' }
    const both = Promise.all([coffer.debit(one), coffer.credit(two)])
    await turn()
    const operations = [
      { type: 'debit', ...one },
      { type: 'credit', ...two },
    ]
    assert.equal(requests[0]?.body, JSON.stringify({ operations }))
    requests[0].succeed()
    await both
  })

  it('waits a few milliseconds for others while a request is in flight', async () => {
    const timers: { run: () => void; ms: number }[] = []
    mock.method(globalThis, 'setTimeout', (run: () => void, ms: number) => timers.push({ run, ms }))
    const { debit, requests, sizes } = holdCoffer()
    const first = debit('a')
    await turn()
    const others = [debit('b')]
    await turn()
    others.push(debit('c'))
    assert.deepEqual(
      timers.map(({ ms }) => ms),
      [4],
    )
    assert.deepEqual(sizes(), [1])
    timers[0]?.run()
    assert.deepEqual(sizes(), [1, 2])
    for (const request of requests) request.succeed()
    await Promise.all([first, ...others])
  })

  it('does not wait longer than the requests in flight', async () => {
    mock.method(globalThis, 'setTimeout', () => undefined)
    const { debit, requests, sizes } = holdCoffer()
    const results = [debit('a')]
    await turn()
    results.push(debit('b'), debit('c'))
    requests[0]?.succeed()
    assert.equal(await results[0], 'a-1')
    await turn()
    assert.deepEqual(sizes(), [1, 2])
    requests[1]?.succeed()
    await Promise.all(results)
  })

  it('waits while four requests are in flight', async () => {
    const { debit, requests, sizes } = holdCoffer()
    const results = Array.from({ length: 550 }, (_, index) => debit(`w${index}`))
    await gather()
    assert.deepEqual(sizes(), [100, 100, 100, 100])
    requests[2]?.succeed()
    await gather()
    assert.deepEqual(sizes(), [100, 100, 100, 100, 100])
    requests[0]?.fail(new Error('lost'))
    await gather()
    assert.deepEqual(sizes(), [100, 100, 100, 100, 100, 50])
    for (const request of requests) request.succeed()
    assert.equal(
      (await Promise.all(results)).filter((result) => result.startsWith('w')).length,
      450,
    )
  })

  it('does not wait for a request that takes longer than a second', async () => {
    const { debit, requests, sizes, timeouts } = holdCoffer()
    const results = Array.from({ length: 401 }, (_, index) => debit(`w${index}`))
    await gather()
    const again = debit('w0')
    const slow = timeouts.filter(({ ms }) => ms === 1_000)
    assert.equal(slow.length, 4)
    slow[0]?.happen()
    await gather()
    assert.deepEqual(sizes(), [100, 100, 100, 100, 2])
    for (const request of requests) request.succeed()
    await Promise.all([...results, again])
    const next = debit('w0')
    await turn()
    assert.equal(sizes().at(-1), 1)
    requests.at(-1)?.succeed()
    await next
  })
})

describe('calls on the same wallet', () => {
  it('keep their order, in one request or one after the other', async () => {
    const { debit, requests } = holdCoffer()
    const results = [debit('a')]
    await turn()
    results.push(debit('a'), debit('b'), debit('a'))
    await gather()
    assert.deepEqual(
      requests.map(({ operations }) => operations.map(({ referenceId }) => referenceId)),
      [['a-1'], ['b-3']],
    )
    requests[0]?.succeed()
    await gather()
    assert.deepEqual(
      requests[2]?.operations.map(({ referenceId }) => referenceId),
      ['a-2', 'a-4'],
    )
    for (const request of requests) request.succeed()
    assert.deepEqual(await Promise.all(results), ['a-1', 'a-2', 'b-3', 'a-4'])
  })
})

describe('the size of a request', () => {
  it('is at most 512 KiB', async () => {
    const { debit, requests } = holdCoffer()
    const description = '\u20ac'.repeat(2_500)
    const results = Array.from({ length: 100 }, (_, index) => debit(`w${index}`, { description }))
    await turn()
    const bytes = requests.map(({ body }) => Buffer.byteLength(body))
    assert(bytes.length > 1 && Math.max(...bytes) <= 512 * 1024, bytes.join())
    for (const request of requests) request.succeed()
    await Promise.all(results)
  })

  it('allows 100 of the longest operations', async () => {
    const { debit, sizes, requests } = holdCoffer()
    const long = (length: number) => '\u20ac'.repeat(length)
    const results = Array.from({ length: 100 }, (_, index) =>
      debit(`${index}`.padEnd(255, '\u20ac'), {
        referenceType: long(64),
        referenceId: long(255),
        description: long(500),
      }),
    )
    await turn()
    assert.deepEqual(sizes(), [100])
    requests[0]?.succeed()
    await Promise.all(results)
  })

  it('excludes a call that could be too large alone, and its wallet keeps the order', async () => {
    const { debit, requests } = holdCoffer()
    const description = '\u20ac'.repeat(5_400)
    const results = [debit('a'), debit('b', { description }), debit('b'), debit('c')]
    await turn()
    const references = () =>
      requests.map(({ operations }) => operations.map(({ referenceId }) => referenceId).join())
    assert.deepEqual(references(), ['a-1,c-4', 'b-2'])
    assert.equal(requests[1]?.path, SINGLE)
    for (const request of requests) request.succeed()
    await gather()
    assert.deepEqual(references(), ['a-1,c-4', 'b-2', 'b-3'])
    requests[2]?.succeed()
    assert.deepEqual(await Promise.all(results), ['a-1', 'b-2', 'b-3', 'c-4'])
  })
})

describe('the timeout of a call', () => {
  it('ends this call only, and the request when nobody waits for it', async () => {
    const { debit, requests, timeouts } = holdCoffer()
    const results = ['a', 'b', 'c'].map((wallet) => debit(wallet))
    await turn()
    timeouts[0]?.happen()
    assert.equal(await results[0], 'OUTCOME_UNKNOWN')
    timeouts[2]?.happen()
    assert.equal(await results[2], 'OUTCOME_UNKNOWN')
    assert.equal(requests[0]?.signal.aborted, false)
    requests[0].succeed()
    assert.equal(await results[1], 'b-2')
    const others = ['a', 'b'].map((wallet) => debit(wallet))
    await turn()
    const [first, second] = timeouts.slice(4)
    first?.happen()
    second?.happen()
    assert.deepEqual(await Promise.all(others), ['OUTCOME_UNKNOWN', 'OUTCOME_UNKNOWN'])
    assert.equal(requests[1]?.signal.aborted, true)
  })

  it('SERVICE_UNAVAILABLE for a call that was not sent, because it was not executed', async () => {
    const { debit, requests, timeouts } = holdCoffer()
    const first = debit('a')
    await turn()
    const second = debit('a')
    timeouts.at(-1)?.happen()
    assert.equal(await second, 'SERVICE_UNAVAILABLE')
    requests[0]?.succeed()
    assert.equal(await first, 'a-1')
    await gather()
    assert.equal(requests.length, 1)
  })
})
