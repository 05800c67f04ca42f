import * as endpoints from '@coffer/contract/server/wallet'
import { batch as endpoint, type BatchResult } from '@coffer/contract/server/batch'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { unlink } from '../identity/link.ts'
import { makeLinkedUser } from '../test/factories.ts'
import {
  assertRefusal,
  call,
  type Fields,
  furnish,
  movesNothing,
  openSetup,
  type Setup,
} from '../test/setup.ts'

let setup: Setup
before(async () => {
  setup = await openSetup({ APP_REQUESTS_PER_SECOND: '100000' })
})
after(() => setup.harness.end())

function operationOf({ user }: Setup, change: Fields = {}): Fields {
  const reference = { referenceType: 'ORDER', referenceId: randomUUID() }
  return { type: 'debit', serviceUserId: user.serviceUserId, amount: 1.5, ...reference, ...change }
}

async function send(there: Setup, operations: unknown[]): Promise<BatchResult[]> {
  const response = await call(there, endpoint, { operations })
  assert.equal(response.statusCode, 200, response.body)
  const { results } = response.json<{ results: BatchResult[] }>()
  assert.equal(results.length, operations.length)
  return results
}

/** The response of a single call as the result of a batch shows it. */
function toResult({ statusCode, headers, json }: LightMyRequestResponse): Fields {
  const mismatch = headers['idempotency-mismatch']
  const wait = headers['retry-after']
  return {
    status: statusCode,
    ...(headers['idempotency-replayed'] === 'true' && { idempotencyReplayed: true }),
    ...(mismatch !== undefined && { idempotencyMismatch: mismatch }),
    ...(wait !== undefined && { retryAfter: Number(wait) }),
    ...json<Fields>(),
  }
}

/** Sends the operations to the endpoints for single calls. */
async function sendSingly(there: Setup, operations: readonly Fields[]): Promise<Fields[]> {
  const results: Fields[] = []
  for (const { type, ...fields } of operations) {
    const single = type === 'credit' ? endpoints.credit : endpoints.debit
    results.push(toResult(await call(there, single, fields)))
  }
  return results
}

/** Ids of transactions differ between two wallets. */
function withoutIds(results: readonly Fields[]): Fields[] {
  return results.map((each) => {
    const { transactionId, ...rest } = each
    return transactionId === undefined ? rest : { ...rest, transactionId: 'txn' }
  })
}

async function balanceOf({ harness, user }: Setup) {
  return (await harness.context.ledger.readWallet(user.walletId))?.balance
}

const codesOf = (results: readonly BatchResult[]) =>
  results.map(({ status, code }) => [status, code])

describe('POST /api/server/wallet/batch', () => {
  /** Every outcome of a single call, in one order; `there` has 100.00. */
  const EVERY_OUTCOME: ((there: Setup) => Fields)[] = [
    (there) => operationOf(there),
    (there) => operationOf(there, { type: 'credit', amount: '20.25', description: 'A refund' }),
    (there) => operationOf(there, { amount: 1_000 }),
    (there) => operationOf(there, { amount: 1.234 }),
    (there) => operationOf(there, { amount: 0 }),
    (there) => operationOf(there, { amount: undefined }),
    (there) => operationOf(there, { amount: null }),
    (there) => operationOf(there, { referenceId: '' }),
    (there) => operationOf(there, { referenceType: undefined }),
    (there) => operationOf(there, { description: 'a\u0007' }),
    (there) => operationOf(there, { serviceUserId: 7 }),
    (there) => operationOf(there, { serviceUserId: 'nobody' }),
    (there) => operationOf(there, { serviceUserId: `su_${'f'.repeat(32)}`, type: 'credit' }),
    (there) => operationOf(there, { type: 'credit', amount: '999999999.99' }),
    (there) => operationOf(there, { colour: 'blue', amount: 0.01 }),
  ]

  it('200 has the status and the body of each single call, in order', async () => {
    const there = await furnish(setup.harness)
    const twin = await furnish(setup.harness)
    const operations = EVERY_OUTCOME.map((make) => make(there))
    const { serviceUserId } = twin.user
    const same = operations.map((each) =>
      each['serviceUserId'] === there.user.serviceUserId ? { ...each, serviceUserId } : each,
    )
    const results = await send(there, operations)
    const single = await sendSingly(twin, same)
    assert.deepEqual(withoutIds(results), withoutIds(single))
    assert.equal(await balanceOf(there), await balanceOf(twin))
    assert.deepEqual(await send(there, operations), await sendSingly(there, operations))
    // Repeats that differ: some of the operations were invalid before, so they are executed now.
    const changed = operations.map((each) => ({ ...each, type: 'credit', amount: 3 }))
    await send(there, changed)
    assert.deepEqual(await send(there, changed), await sendSingly(there, changed))
  })

  const marked = (results: readonly BatchResult[]) =>
    results.map(({ status, ...body }) => ({ status, idempotencyReplayed: true, ...body }))

  it('200 executes a pair once that is twice in a batch', async () => {
    const there = await furnish(setup.harness)
    const once = operationOf(there)
    const other = await makeLinkedUser(setup.harness.context, there.app, 50_00n)
    const [first, second, third, fourth] = await send(there, [
      once,
      once,
      { ...once, amount: 2 },
      { ...once, serviceUserId: other.serviceUserId },
    ])
    const replay = { ...first, idempotencyReplayed: true }
    assert.equal(first?.status, 200)
    assert.deepEqual(second, replay)
    assert.deepEqual(third, { ...replay, idempotencyMismatch: 'amount' })
    assert.deepEqual(fourth, { ...replay, idempotencyMismatch: 'serviceUserId' })
    assert.equal(await balanceOf(there), 98_50n)
  })

  it('200 returns the original results for a repeated batch, and moves nothing', async () => {
    const there = await furnish(setup.harness)
    const operations = [
      ...Array.from({ length: 50 }, () => operationOf(there, { amount: 1 })),
      ...Array.from({ length: 50 }, () => operationOf(there, { amount: 60 })),
    ]
    const results = await send(there, operations)
    assert.deepEqual(new Set(results.map(({ status }) => status)), new Set([200, 400]))
    await movesNothing(setup.harness.admin, async () => {
      assert.deepEqual(await send(there, operations), marked(results))
      const bodies = await Promise.all(
        [1, 2].map(async () => (await call(there, endpoint, { operations })).body),
      )
      assert.equal(bodies[0], bodies[1])
    })
    // After an unlink too.
    await unlink(setup.harness.context.db, there.app.id, there.user.id)
    assert.deepEqual(await send(there, operations), marked(results))
    assert.deepEqual(codesOf(await send(there, [operationOf(there)])), [[404, 'USER_NOT_FOUND']])
  })

  it('200 gives only the operation 400 that is invalid', async () => {
    const there = await furnish(setup.harness)
    const wrong = [
      5,
      null,
      'debit',
      [],
      {},
      { type: 'transfer' },
      { ...operationOf(there), type: 1 },
    ]
    const results = await send(there, [...wrong, operationOf(there)])
    assert.deepEqual(results.pop()?.status, 200)
    const object = 'Invalid request. An operation must be a JSON object.'
    const missing =
      'Invalid request. The field type is missing. It must be debit, credit, refund, hold, capture or release.'
    const type =
      'Invalid request. The field type must be debit, credit, refund, hold, capture or release.'
    assert.deepEqual(
      results.map(({ status, code, error, field }) => [status, code, error, field]),
      [object, object, object, object, missing, type, type].map((error) => {
        return [400, 'INVALID_REQUEST', error, error === object ? undefined : 'type']
      }),
    )
  })

  it('400 INVALID_REQUEST without operations and for more than 100, and nothing is executed', async () => {
    const there = await furnish(setup.harness)
    const many = Array.from({ length: 101 }, () => operationOf(there))
    await movesNothing(setup.harness.admin, async () => {
      for (const operations of [[], many, { 0: operationOf(there), length: 1 }]) {
        const response = await call(there, endpoint, { operations })
        assertRefusal(response, endpoint, 'INVALID_REQUEST', 'operations')
        assert.equal(
          response.json().error,
          'Invalid request. The field operations must be an array of 1 to 100 operations.',
        )
      }
    })
  })

  it('counts the errors of operations like those of single calls', async () => {
    const there = await furnish(setup.harness)
    const { appActivity } = setup.harness.context
    await send(there, [
      operationOf(there),
      ...[5, 6].map((amount) => operationOf(there, { amount: amount * 100 })),
    ])
    await appActivity.write()
    const { rows } = await setup.harness.admin.query(
      'select value, times from admin.seen join directory.client_apps on client_apps.id = seen.client_app_id where client_id = $1',
      [there.app.clientId],
    )
    assert.deepEqual(rows, [{ value: 'INSUFFICIENT_BALANCE', times: '2' }])
  })
})
