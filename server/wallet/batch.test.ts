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
  addShop,
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

async function send(shop: Setup, operations: unknown[]): Promise<BatchResult[]> {
  const response = await call(shop, endpoint, { operations })
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
async function sendSingly(shop: Setup, operations: readonly Fields[]): Promise<Fields[]> {
  const results: Fields[] = []
  for (const { type, ...fields } of operations) {
    const single = type === 'credit' ? endpoints.credit : endpoints.debit
    results.push(toResult(await call(shop, single, fields)))
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
  const EVERY_OUTCOME: ((shop: Setup) => Fields)[] = [
    (shop) => operationOf(shop),
    (shop) => operationOf(shop, { type: 'credit', amount: '20.25', description: 'A refund' }),
    (shop) => operationOf(shop, { amount: 1_000 }),
    (shop) => operationOf(shop, { amount: 1.234 }),
    (shop) => operationOf(shop, { amount: 0 }),
    (shop) => operationOf(shop, { amount: undefined }),
    (shop) => operationOf(shop, { amount: null }),
    (shop) => operationOf(shop, { referenceId: '' }),
    (shop) => operationOf(shop, { referenceType: undefined }),
    (shop) => operationOf(shop, { description: 'a\u0007' }),
    (shop) => operationOf(shop, { serviceUserId: 7 }),
    (shop) => operationOf(shop, { serviceUserId: 'nobody' }),
    (shop) => operationOf(shop, { serviceUserId: `su_${'f'.repeat(32)}`, type: 'credit' }),
    (shop) => operationOf(shop, { type: 'credit', amount: '999999999.99' }),
    (shop) => operationOf(shop, { colour: 'blue', amount: 0.01 }),
  ]

  it('200 has the status and the body of each single call, in order', async () => {
    const shop = await addShop(setup.harness)
    const twin = await addShop(setup.harness)
    const operations = EVERY_OUTCOME.map((make) => make(shop))
    const { serviceUserId } = twin.user
    const same = operations.map((each) =>
      each['serviceUserId'] === shop.user.serviceUserId ? { ...each, serviceUserId } : each,
    )
    const results = await send(shop, operations)
    const single = await sendSingly(twin, same)
    assert.deepEqual(withoutIds(results), withoutIds(single))
    assert.equal(await balanceOf(shop), await balanceOf(twin))
    assert.deepEqual(await send(shop, operations), await sendSingly(shop, operations))
    // Repeats that differ: some of the operations were invalid before, so they are executed now.
    const changed = operations.map((each) => ({ ...each, type: 'credit', amount: 3 }))
    await send(shop, changed)
    assert.deepEqual(await send(shop, changed), await sendSingly(shop, changed))
  })

  const marked = (results: readonly BatchResult[]) =>
    results.map(({ status, ...body }) => ({ status, idempotencyReplayed: true, ...body }))

  it('200 executes a pair once that is twice in a batch', async () => {
    const shop = await addShop(setup.harness)
    const once = operationOf(shop)
    const other = await makeLinkedUser(setup.harness.context, shop.app, 50_00n)
    const [first, second, third, fourth] = await send(shop, [
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
    assert.equal(await balanceOf(shop), 98_50n)
  })

  it('200 returns the original results for a repeated batch, and moves nothing', async () => {
    const shop = await addShop(setup.harness)
    const operations = [
      ...Array.from({ length: 50 }, () => operationOf(shop, { amount: 1 })),
      ...Array.from({ length: 50 }, () => operationOf(shop, { amount: 60 })),
    ]
    const results = await send(shop, operations)
    assert.deepEqual(new Set(results.map(({ status }) => status)), new Set([200, 400]))
    await movesNothing(setup.harness.admin, async () => {
      assert.deepEqual(await send(shop, operations), marked(results))
      const bodies = await Promise.all(
        [1, 2].map(async () => (await call(shop, endpoint, { operations })).body),
      )
      assert.equal(bodies[0], bodies[1])
    })
    // After an unlink too.
    await unlink(setup.harness.context.db, shop.app.id, shop.user.id)
    assert.deepEqual(await send(shop, operations), marked(results))
    assert.deepEqual(codesOf(await send(shop, [operationOf(shop)])), [[404, 'USER_NOT_FOUND']])
  })

  it('200 gives only the operation 400 that is invalid', async () => {
    const shop = await addShop(setup.harness)
    const wrong = [
      5,
      null,
      'debit',
      [],
      {},
      { type: 'transfer' },
      { ...operationOf(shop), type: 1 },
    ]
    const results = await send(shop, [...wrong, operationOf(shop)])
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
    const shop = await addShop(setup.harness)
    const many = Array.from({ length: 101 }, () => operationOf(shop))
    await movesNothing(setup.harness.admin, async () => {
      for (const operations of [[], many, { 0: operationOf(shop), length: 1 }]) {
        const response = await call(shop, endpoint, { operations })
        assertRefusal(response, endpoint, 'INVALID_REQUEST', 'operations')
        assert.equal(
          response.json().error,
          'Invalid request. The field operations must be an array of 1 to 100 operations.',
        )
      }
    })
  })

  it('counts the errors of operations like those of single calls', async () => {
    const shop = await addShop(setup.harness)
    const { appActivity } = setup.harness.context
    await send(shop, [
      operationOf(shop),
      ...[5, 6].map((amount) => operationOf(shop, { amount: amount * 100 })),
    ])
    await appActivity.write()
    const { rows } = await setup.harness.admin.query(
      'select value, times from admin.app_activity join directory.client_apps on client_apps.id = app_activity.client_app_id where client_id = $1',
      [shop.app.clientId],
    )
    assert.deepEqual(rows, [{ value: 'INSUFFICIENT_BALANCE', times: '2' }])
  })
})
