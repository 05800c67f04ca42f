/** Calls that share requests, against the real service: each has the outcome that it would have alone. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { makeClientApp, makeLinkedUser } from '../server/test/factories.ts'
import { connectAdmin } from '../server/test/harness.ts'
import type { CofferOptions, OperationInput } from './coffer.ts'
import { CofferError } from './errors.ts'
import {
  countOperations,
  newReference,
  openSdkSetup,
  response,
  thrownBy,
  type SdkSetup,
} from './test/sdk-setup.ts'

let setup: SdkSetup
before(async () => {
  setup = await openSdkSetup()
})
after(() => setup.end())
beforeEach(() => setup.line.clear())

/** A client with batches, and users of its app who have 100.00 each. */
async function open(count: number, options: Partial<CofferOptions> = {}) {
  const { context } = setup.harness
  const app = await makeClientApp(context)
  const users = await Promise.all(
    Array.from({ length: count }, () => makeLinkedUser(context, app, 100_00n)),
  )
  const coffer = setup.as(app, { batch: true, ...options })
  return { app, users, coffer, ids: users.map(({ serviceUserId }) => serviceUserId) }
}

const debitOf = (serviceUserId = '', amount: number | string = 1): OperationInput => ({
  serviceUserId,
  amount,
  ...newReference(),
})

/** What a call returns or throws, without what differs between two requests. */
async function outcomeOf(call: Promise<object>): Promise<object> {
  return call.then(
    (result) => ({ ...result, replayed: undefined }),
    (error: unknown) => {
      assert(error instanceof CofferError, String(error))
      return Object.assign({}, error, { message: error.message, requestId: undefined })
    },
  )
}

const paths = () => setup.line.seen.map(({ url }) => url.replace('/api/server/wallet/', ''))

describe('256 concurrent calls', () => {
  it('take three requests, and each has the outcome of the single call', async () => {
    const { app, coffer, ids } = await open(16)
    const calls = Array.from({ length: 256 }, (_, index) => {
      const id = ids[index % 16]
      const changes: Partial<OperationInput>[] = [
        { amount: 500 },
        { amount: '1.234' },
        { serviceUserId: 'su_nobody' },
        { referenceType: 'x'.repeat(65) },
        { description: 'Tea' },
      ]
      const input = { ...debitOf(id, `0.${10 + (index % 80)}`), ...changes[index % 7] }
      return { name: index % 3 === 0 ? ('credit' as const) : ('debit' as const), input }
    })
    const outcomes = await Promise.all(
      calls.map(({ name, input }) => outcomeOf(coffer[name](input))),
    )
    assert.deepEqual(paths(), ['batch', 'batch', 'batch'])
    const alone = setup.as(app, { batch: false })
    for (const [index, { name, input }] of calls.entries()) {
      assert.deepEqual(outcomes[index], await outcomeOf(alone[name](input)), `call ${index}`)
    }
    const codes = new Set(
      outcomes.map((outcome) => ('code' in outcome ? String(outcome.code) : 'OK')),
    )
    assert.deepEqual([...codes].toSorted(), [
      'INSUFFICIENT_BALANCE',
      'INVALID_AMOUNT',
      'INVALID_REQUEST',
      'OK',
      'USER_NOT_FOUND',
    ])
  })

  it('on one wallet are executed in the order of the calls', async () => {
    const { coffer, ids } = await open(1)
    const results = await Promise.all(
      Array.from({ length: 256 }, () => coffer.debit(debitOf(ids[0], '0.10'))),
    )
    assert.deepEqual(
      results.map(({ balance }) => balance.toFixed(2)),
      results.map((_, index) => (99.9 - index / 10).toFixed(2)),
    )
    assert.deepEqual(paths(), ['batch', 'batch', 'batch'])
  })
})

describe('a reference that two calls of a request have', () => {
  it('is executed once and replayed once', async () => {
    const { coffer, ids } = await open(1)
    const input = debitOf(ids[0], 10)
    const [first, second] = await Promise.all([coffer.debit(input), coffer.debit(input)])
    assert.deepEqual([first.replayed, second.replayed], [false, true])
    assert.deepEqual({ ...second, replayed: false }, first)
    assert.deepEqual(paths(), ['batch'])
    assert.equal(await countOperations(setup, input.referenceId), 1)
  })

  it('REPLAY_MISMATCH for the second if they differ', async () => {
    const { coffer, ids } = await open(1)
    const input = debitOf(ids[0], 10)
    const [first, second] = [coffer.debit(input), coffer.debit({ ...input, amount: 11 })]
    assert.equal((await first).balance, 90)
    assert.deepEqual((await thrownBy(second, 'REPLAY_MISMATCH')).differs, ['amount'])
    assert.deepEqual(paths(), ['batch'])
  })
})

describe('a batch whose response is lost', () => {
  for (const fault of ['lose response', 'cut response', 'hang', 'lose request'] as const) {
    it(`${fault}: every call is sent again and executed once`, async () => {
      const { coffer, ids } = await open(20, { timeoutMs: 2_000 })
      const inputs = ids.map((id) => debitOf(id, 10))
      setup.line.plan(fault)
      const results = await Promise.all(inputs.map((input) => coffer.debit(input)))
      for (const { balance, replayed } of results) {
        assert.deepEqual([balance, replayed], [90, fault !== 'lose request'])
      }
      for (const { referenceId } of inputs) {
        assert.equal(await countOperations(setup, referenceId), 1)
      }
    })
  }

  it('OUTCOME_UNKNOWN for each call if no retry is left, with its own reference', async () => {
    const { coffer, ids } = await open(20, { retries: 0 })
    const inputs = ids.map((id) => debitOf(id))
    setup.line.plan('lose response')
    const calls = inputs.map((input) => thrownBy(coffer.debit(input), 'OUTCOME_UNKNOWN'))
    const errors = await Promise.all(calls)
    assert.deepEqual(
      errors.map(({ reference }) => reference.referenceId),
      inputs.map(({ referenceId }) => referenceId),
    )
    assert.deepEqual(paths(), ['batch'])
  })
})

describe('a batch that is refused as a whole', () => {
  it('INVALID_CLIENT for each call, with one request', async () => {
    const { app, ids } = await open(5)
    const coffer = setup.as({ ...app, clientSecret: `${app.clientSecret}x` }, { batch: true })
    await Promise.all(ids.map((id) => thrownBy(coffer.debit(debitOf(id)), 'INVALID_CLIENT')))
    assert.deepEqual(paths(), ['batch'])
  })

  it('429: every call waits for Retry-After and is sent again', async () => {
    const { coffer, ids } = await open(20)
    const limited = { error: 'Too many.', code: 'RATE_LIMITED' }
    setup.line.plan(response(429, limited, { 'retry-after': '1' }))
    const results = await Promise.all(ids.map((id) => coffer.debit(debitOf(id))))
    assert(results.every(({ replayed }) => !replayed))
    assert((setup.line.pausesMs()[0] ?? 0) >= 990, setup.line.pausesMs().join())
  })

  it('413 or 404 of a proxy: every call is sent alone', async () => {
    for (const status of [413, 404]) {
      setup.line.clear()
      const { coffer, ids } = await open(20)
      setup.line.plan({ status })
      await Promise.all(ids.map((id) => coffer.debit(debitOf(id))))
      assert.deepEqual(paths(), ['batch', ...ids.map(() => 'debit')])
    }
  })

  it('an operation that the service cannot parse fails alone', async () => {
    const { coffer, ids } = await open(4)
    let nested: unknown = 1
    for (let depth = 0; depth < 200; depth++) nested = [nested]
    const wrong = { ...debitOf(ids[0]), description: nested as string }
    const failure = thrownBy(coffer.debit(wrong), 'INVALID_REQUEST')
    const others = ids.slice(1).map((id) => coffer.debit(debitOf(id)))
    for (const { balance } of await Promise.all(others)) assert.equal(balance, 99)
    await failure
  })
})

describe('a slow operation', () => {
  it('delays the calls in its request, but no later ones on other wallets', async () => {
    const { coffer, users, ids } = await open(3)
    const locks = await connectAdmin(setup.harness.databaseUrl)
    await locks.query('begin')
    await locks.query('select from ledger.wallets where id = $1 for update', [users[0]?.walletId])
    const together = Promise.all([coffer.debit(debitOf(ids[0])), coffer.debit(debitOf(ids[1]))])
    const later = coffer.debit(debitOf(ids[2])).then(({ balance }) => balance)
    assert.equal(await Promise.race([together, later]), 99)
    await locks.query('rollback')
    await locks.end()
    for (const { balance } of await together) assert.equal(balance, 99)
  })
})
