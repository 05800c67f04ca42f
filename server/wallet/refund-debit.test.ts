import {
  credit,
  debit,
  findOperation,
  readWallet,
  refund as endpoint,
} from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeClientApp } from '../test/factories.ts'
import { balanceOf, pairOf, pay, refund } from '../test/ledger/refund-setup.ts'
import { assertReplay, call, addShop, movesNothing, openSetup, type Setup } from '../test/setup.ts'

let setup: Setup
before(async () => {
  setup = await openSetup()
})
after(() => setup.harness.end())

describe('POST /api/server/wallet/refund', () => {
  it('200 returns everything that is left without an amount, and parts with one', async () => {
    const shop = await addShop(setup.harness)
    const paid = await pay(shop, 12.3)
    const first = await refund(shop, paid, { amount: 2.3, description: 'One item' })
    assert.equal(first.statusCode, 200)
    const { transactionId, ...rest } = first.json()
    assert.deepEqual(rest, {
      balance: 90,
      message: 'Refund completed.',
      currency: 'USD',
      refunded: 2.3,
      refundable: 10,
    })
    const { serviceUserId } = shop.user
    const { transactions } = (await call(shop, readWallet, { serviceUserId, limit: 2 })).json()
    assert.equal(transactions[0].id, transactionId)
    assert.equal(transactions[0].refundOf, transactions[1].id)
    assert.equal(transactions[0].description, 'One item')
    assert.equal('refundOf' in transactions[1], false)
    const second = (await refund(shop, paid)).json()
    assert.deepEqual([second.balance, second.refunded, second.refundable], [100, 10, 0])
  })

  it('409 REFUND_EXCEEDS_DEBIT is recorded, also after nothing is left and for a refused debit', async () => {
    const shop = await addShop(setup.harness)
    const paid = await pay(shop, 10)
    const refused = pairOf('ORDER')
    const { serviceUserId } = shop.user
    const tooMuch = await call(shop, debit, { serviceUserId, amount: 1000, ...refused })
    assert.equal(tooMuch.json().code, 'INSUFFICIENT_BALANCE')
    const exceeding = pairOf('REFUND')
    const first = await refund(shop, paid, { ...exceeding, amount: 10.01 })
    assert.deepEqual([first.statusCode, first.json().code], [409, 'REFUND_EXCEEDS_DEBIT'])
    assertReplay(await refund(shop, paid, { ...exceeding, amount: 10.01 }), first)
    await refund(shop, paid)
    for (const [target, fields] of [
      [paid, {}],
      [paid, { amount: 0.01 }],
      [refused, {}],
    ] as const) {
      const pair = pairOf('REFUND')
      const response = await refund(shop, target, { ...pair, ...fields })
      assert.deepEqual([response.statusCode, response.json().code], [409, 'REFUND_EXCEEDS_DEBIT'])
      assertReplay(await refund(shop, target, { ...pair, ...fields }), response)
      const found = (await call(shop, findOperation, { ...pair })).json()
      assert.deepEqual([found.status, found.code], ['refused', 'REFUND_EXCEEDS_DEBIT'])
    }
    assert.equal(await balanceOf(shop), 100_00n)
  })

  it('404 OPERATION_NOT_FOUND is not recorded: unknown, of another app, a credit, a refund', async () => {
    const shop = await addShop(setup.harness)
    const stranger = await makeClientApp(shop.harness.context)
    const paid = await pay(shop, 10)
    const given = pairOf('ORDER')
    const { serviceUserId } = shop.user
    await call(shop, credit, { serviceUserId, amount: 1, ...given })
    const refunded = pairOf('REFUND')
    await refund(shop, paid, { ...refunded, amount: 1 })
    await movesNothing(shop.harness.admin, async () => {
      for (const [who, target] of [
        [shop, pairOf('ORDER')],
        [{ ...shop, app: stranger }, paid],
        [shop, given],
        [shop, refunded],
      ] as const) {
        const pair = pairOf('REFUND')
        const response = await refund(who, target, pair)
        assert.deepEqual([response.statusCode, response.json().code], [404, 'OPERATION_NOT_FOUND'])
        assert.match(response.json().error, /nothing was refunded/)
        const found = await call(who, findOperation, { ...pair })
        assert.equal(found.statusCode, 404)
      }
    })
  })

  it('400 INVALID_AMOUNT for 0, and INVALID_REQUEST for a debit without a reference', async () => {
    const shop = await addShop(setup.harness)
    const paid = await pay(shop, 10)
    const zero = await refund(shop, paid, { amount: 0 })
    assert.equal(zero.json().code, 'INVALID_AMOUNT')
    const bare = await call(shop, endpoint, { debit: 'order-1', ...pairOf('REFUND') })
    assert.deepEqual([bare.statusCode, bare.json().field], [400, 'debit'])
  })

  it('shows in the look-up of the debit how much is refunded and how much is left', async () => {
    const shop = await addShop(setup.harness)
    const paid = await pay(shop, 10)
    const untouched = (await call(shop, findOperation, { ...paid })).json()
    assert.equal('refunded' in untouched, false)
    const pair = pairOf('REFUND')
    await refund(shop, paid, { ...pair, amount: 4 })
    const found = (await call(shop, findOperation, { ...paid })).json()
    assert.deepEqual([found.refunded, found.refundable], [4, 6])
    const refunded = (await call(shop, findOperation, { ...pair })).json()
    assert.equal(refunded.refundOf, found.transactionId)
  })
})
