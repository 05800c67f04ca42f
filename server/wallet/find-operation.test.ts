import { credit, debit, findOperation as endpoint } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { link, unlink } from '../identity/link.ts'
import { digestPair } from '../ledger/digest.ts'
import { giveBonus, makeClientApp, makeLinkedUser } from '../test/factories.ts'
import {
  assertRefusal,
  basicOf,
  call,
  movesNothing,
  openSetup,
  type Fields,
  type Setup,
} from '../test/setup.ts'

describe('GET /api/server/operations', () => {
  let setup: Setup
  before(async () => {
    setup = await openSetup()
  })
  after(() => setup.harness.end())

  const newPair = () => ({ referenceType: 'ORDER', referenceId: randomUUID() })

  /** Returns a pair that was used for a credit of 1.50. */
  async function fieldsOf(shop: Setup): Promise<Fields> {
    const pair = newPair()
    const { serviceUserId } = shop.user
    const response = await call(shop, credit, { serviceUserId, amount: 1.5, ...pair })
    assert.equal(response.statusCode, 200)
    return pair
  }

  async function find(pair: Fields) {
    const response = await call(setup, endpoint, pair)
    assert.equal(response.statusCode, 200)
    const { createdAt, ...rest } = response.json<Fields & { createdAt: string }>()
    assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    return rest
  }

  it('200 returns a posted credit with the same fields as the wallet', async () => {
    const pair = await fieldsOf(setup)
    const { transactionId, balance, ...rest } = await find(pair)
    const expected = { status: 'posted', type: 'credit', amount: 1.5, currency: 'USD', code: null }
    const { serviceUserId } = setup.user
    assert.deepEqual(rest, { ...expected, serviceUserId, ...pair })
    const url = `/api/server/wallet?serviceUserId=${serviceUserId}&limit=1`
    const headers = basicOf(setup.app)
    const wallet = (await setup.harness.inject({ method: 'GET', url, headers })).json()
    assert.equal(wallet.transactions[0].id, transactionId)
    assert.equal(wallet.transactions[0].balanceAfter, balance)
  })

  it('200 returns the recorded refusal and its reason', async () => {
    const pair = newPair()
    const { serviceUserId } = setup.user
    await call(setup, debit, { serviceUserId, amount: 999_999, ...pair })
    assert.deepEqual(await find(pair), {
      status: 'refused',
      type: 'debit',
      amount: 999_999,
      currency: 'USD',
      ...pair,
      serviceUserId,
      balance: null,
      transactionId: null,
      code: 'INSUFFICIENT_BALANCE',
    })
  })

  it('200 returns the id of a link that is a fraction of a millisecond newer than the rounded time', async () => {
    const { harness, app } = setup
    const { db } = harness.context
    const user = await makeLinkedUser(harness.context, app, 10_00n)
    await unlink(db, app.id, user.id)
    const id = await link(db, app.id, user.id)
    const pair = await fieldsOf({ ...setup, user: { ...user, serviceUserId: id } })
    await harness.admin.query(
      `update directory.links set created_at = interval '999 microseconds' +
         (select max(decided_at) from ledger.operation_keys where wallet_id = $1) where public_id = $2`,
      [user.walletId, id.slice(3)],
    )
    assert.equal((await find(pair))['serviceUserId'], id)
  })

  it('200 compares the pair byte for byte, whatever characters it contains', async () => {
    const { serviceUserId } = setup.user
    const referenceId = randomUUID()
    const types = ['a b', 'a+b', 'a%20b', 'a&b=c', 'é', 'e\u0301', '😀', 'A', 'a', "';--"]
    for (const [index, referenceType] of types.entries()) {
      const fields = { serviceUserId, amount: index + 1, referenceType, referenceId }
      assert.equal((await call(setup, credit, fields)).statusCode, 200)
    }
    for (const [index, referenceType] of types.entries()) {
      const found = await find({ referenceType, referenceId })
      assert.deepEqual([found['amount'], found['referenceType']], [index + 1, referenceType])
    }
  })

  it('404 OPERATION_NOT_FOUND for a pair that was never decided', async () => {
    const { harness } = setup
    const pair = newPair()
    await movesNothing(harness.admin, async () => {
      assertRefusal(await call(setup, endpoint, pair), endpoint, 'OPERATION_NOT_FOUND')
    })
    const serviceUserId = `su_${'0'.repeat(32)}`
    await call(setup, debit, { serviceUserId, amount: 1, ...pair })
    assertRefusal(await call(setup, endpoint, pair), endpoint, 'OPERATION_NOT_FOUND')
  })

  it('404 OPERATION_NOT_FOUND for the pairs of other apps and of the service itself', async () => {
    const { harness, user } = setup
    const pair = await fieldsOf(setup)
    const other = await makeClientApp(harness.context)
    const foreign = await call({ ...setup, app: other }, endpoint, pair)
    assertRefusal(foreign, endpoint, 'OPERATION_NOT_FOUND')
    await giveBonus(harness.context.ledger, user.walletId, 1n)
    const { rows } = await harness.admin.query<{ reference_id: string }>(
      `select reference_id from ledger.operations where kind = 'bonus'`,
    )
    for (const { reference_id: referenceId } of rows) {
      const response = await call(setup, endpoint, { referenceType: 'BONUS', referenceId })
      assertRefusal(response, endpoint, 'OPERATION_NOT_FOUND')
    }
  })

  it('503 SERVICE_UNAVAILABLE for a request that is canceled by a deadlock with a migration', async () => {
    const pair = newPair()
    const { admin } = setup.harness
    // The request waits for the decision about its reference, which the transaction is writing.
    await admin.query('begin')
    await admin.query(
      `insert into ledger.operation_keys (digest, wallet_id, seq, decided_at, kind, amount, balance_after)
        values ($1, 1, 1, now(), 'debit', 1, 0)`,
      [digestPair(setup.app.ledgerAccount, pair.referenceType, pair.referenceId)],
    )
    const response = call(setup, endpoint, pair)
    await sleep(300)
    await admin.query('lock table ledger.operation_keys in access exclusive mode')
    assertRefusal(await response, endpoint, 'SERVICE_UNAVAILABLE')
    await admin.query('rollback')
    assertRefusal(await call(setup, endpoint, pair), endpoint, 'OPERATION_NOT_FOUND')
  })
})
