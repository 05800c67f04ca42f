import { lookUpOperation as endpoint } from '@coffer/contract/admin/operations'
import { credit, debit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { link } from '../../identity/link.ts'
import { captureHold, placeHold } from '../../test/ledger/hold-setup.ts'
import { pairOf, pay, refund } from '../../test/ledger/refund-setup.ts'
import { askAs, openAdminSetup, type AdminSetup } from '../../test/admin-setup.ts'
import { makeClientApp, makeLinkedUser } from '../../test/factories.ts'
import { call, type Setup } from '../../test/setup.ts'

describe('GET /api/admin/operations, of a charge', () => {
  let setup: AdminSetup
  before(async () => {
    setup = await openAdminSetup()
  })
  after(() => setup.harness.end())

  const lookUp = async (fields: Record<string, string | undefined>) => {
    const response = await askAs(setup, setup.viewer, endpoint, fields)
    assert.equal(response.statusCode, 200, response.body)
    return response.json()
  }
  function newPair() {
    return { referenceType: 'ORDER', referenceId: randomUUID() }
  }

  it('200 returns similar charges of the same app within ten minutes, and no other', async () => {
    const { harness, app } = setup
    const { context, admin } = harness
    const user = await makeLinkedUser(context, app, 90_00n)
    const own: Setup = { harness, app, user }
    const other = await makeClientApp(context, { name: 'Tea house' })
    const elsewhere = await link(context.db, other.id, user.id)
    const [first, twice, early, more, foreign] = [1, 2, 3, 4, 5].map(newPair)
    const { serviceUserId } = user
    const charge = (pair: object | undefined, amount = 9) =>
      call(own, debit, { serviceUserId, amount, ...pair })
    for (const pair of [early, first, twice]) await charge(pair)
    await charge(more, 10)
    const theirs: Setup = { harness, app: other, user: { ...user, serviceUserId: elsewhere } }
    await call(theirs, debit, { serviceUserId: elsewhere, amount: 9, ...foreign })
    await call(own, credit, { serviceUserId, amount: 9, ...newPair() })
    await charge(newPair(), 500)
    await admin.query(
      `update ledger.operations set created_at = created_at - interval '601 seconds'
        where wallet_id = $1 and reference_id = $2`,
      [user.walletId, early?.referenceId],
    )
    const { clientId } = app
    const similarOf = async (pair: object | undefined) =>
      (await lookUp({ clientId, ...pair })).similar.map(
        ({ referenceId }: { referenceId: string }) => referenceId,
      )
    assert.deepEqual(await similarOf(first), [twice?.referenceId])
    assert.deepEqual(await similarOf(twice), [first?.referenceId])
    assert.deepEqual(await similarOf(more), [])
  })

  it('200 returns how much of it and of similar charges is refunded', async () => {
    const { harness, app } = setup
    const user = await makeLinkedUser(harness.context, app, 90_00n)
    const own: Setup = { harness, app, user }
    const { clientId } = app
    const [first, second] = [await pay(own, 9), await pay(own, 9)]
    const read = async () => {
      const { decision, similar } = await lookUp({ clientId, ...first })
      return [decision.refunded, similar[0].refunded]
    }
    assert.deepEqual(await read(), [0, 0])
    assert.equal((await refund(own, first, { amount: 4 })).statusCode, 200)
    assert.equal((await refund(own, second)).statusCode, 200)
    assert.deepEqual(await read(), [4, 9])
    assert.equal((await refund(own, first)).statusCode, 200)
    assert.deepEqual(await read(), [9, 9])

    const captured = pairOf('CAPTURE')
    await captureHold(own, await placeHold(own, 5), captured)
    await refund(own, captured, { amount: 2 })
    assert.equal((await lookUp({ clientId, ...captured })).decision.refunded, 2)
    const refused = newPair()
    const { serviceUserId } = user
    await call(own, debit, { serviceUserId, amount: 500, ...refused })
    assert.equal((await lookUp({ clientId, ...refused })).decision.refunded, 0)
  })
})
