/** A refund goes to the wallet that paid, whichever wallet is linked when the user requests it. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { PAID, startTestShop, type TestShop } from './test/start-test-shop.ts'

const REFUNDED = ['debit 1150', 'refund 1150', '10000']

let shop: TestShop

before(async () => {
  shop = await startTestShop()
})
after(() => shop.stop())
beforeEach(() => shop.proxy.clear())

describe('refunding an order', () => {
  it('credits the wallet that paid, not the one that is linked now', async () => {
    const { press, post, order, wallet, state } = await shop.orderBeans()
    const other = await shop.makeWallet()
    assert.equal(await press('/pay', order), 'paid')
    await post('/wallet/unlink')
    await shop.linkTo({ post }, other.serviceUserId)
    assert.equal(await press('/refund', order), 'refunded')
    assert.equal(state(), 'refunded')
    assert.deepEqual(await shop.readBooks(wallet.walletId), REFUNDED)
    assert.deepEqual(await shop.readBooks(other.walletId), ['10000'])
  })

  it('credits the wallet that paid even if the user has removed it from the shop', async () => {
    const { press, post, order, wallet } = await shop.orderBeans()
    await press('/pay', order)
    await post('/wallet/unlink')
    await shop.restart()
    assert.equal(await press('/refund', order), 'refunded')
    assert.deepEqual(await shop.readBooks(wallet.walletId), REFUNDED)
  })

  it('credits the wallet that paid if the shop found the payment after a switch', async () => {
    const { press, post, order, wallet } = await shop.orderBeans()
    const other = await shop.makeWallet()
    shop.proxy.plan('lose response')
    assert.equal(await press('/pay', order), 'unknown')
    await post('/wallet/unlink')
    await shop.linkTo({ post }, other.serviceUserId)
    assert.equal(await press('/pay', order), 'paid')
    assert.equal(await press('/refund', order), 'refunded')
    assert.deepEqual(await shop.readBooks(wallet.walletId), REFUNDED)
    assert.deepEqual(await shop.readBooks(other.walletId), ['10000'])
  })

  it('succeeds if the response was lost and the user then switched wallets', async () => {
    const { press, post, order, wallet } = await shop.orderBeans()
    const other = await shop.makeWallet()
    await press('/pay', order)
    shop.proxy.clear()
    shop.proxy.plan('lose response')
    assert.equal(await press('/refund', order), 'unknown')
    await post('/wallet/unlink')
    await shop.linkTo({ post }, other.serviceUserId)
    assert.equal(await press('/refund', order), 'refunded')
    assert.deepEqual(await shop.readBooks(wallet.walletId), REFUNDED)
    assert.deepEqual(await shop.readBooks(other.walletId), ['10000'])
  })

  it('credits the wallet that paid even if the user has unlinked the shop at the service', async () => {
    const { press, post, user, order, wallet, state } = await shop.orderBeans()
    const other = await shop.makeWallet()
    await press('/pay', order)
    await shop.tools.db.query(
      'update directory.links set ended_at = now() where service_user_id = $1',
      [wallet.id],
    )
    await post('/wallet/unlink')
    await shop.linkTo({ post }, other.serviceUserId)
    assert.equal(await press('/refund', order), 'refunded')
    assert.equal(state(), 'refunded')
    assert.equal(user().serviceUserId, other.serviceUserId)
    assert.deepEqual(await shop.readBooks(wallet.walletId), REFUNDED)
    assert.deepEqual(await shop.readBooks(other.walletId), ['10000'])
  })

  it('refunds nothing if the person has deleted the account', async () => {
    const { press, order, wallet, state } = await shop.orderBeans(11_50n)
    await press('/pay', order)
    await shop.tools.db.query('update ledger.wallets set closed_at = now() where id = $1', [
      wallet.walletId,
    ])
    assert.equal(await press('/refund', order), 'payer-gone')
    assert.equal(state(), 'paid')
    assert.deepEqual(await shop.readBooks(wallet.walletId), [...PAID.slice(0, -1), '0'])
  })
})
