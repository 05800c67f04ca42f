/** The shop marks an order as paid only if a payment for this order was made. */
import assert from 'node:assert/strict'
import { createCoffer } from '@coffer/sdk'
import { after, before, beforeEach, describe, it } from 'node:test'
import { BEANS, PAID, startTestShop, type TestShop } from './test/start-test-shop.ts'

let shop: TestShop

before(async () => {
  shop = await startTestShop()
})
after(() => shop.stop())
beforeEach(() => shop.proxy.clear())

/** Pays something else under the reference of an order's first attempt. */
async function usePaymentReference(order: string, serviceUserId: string, amount: string) {
  const coffer = createCoffer({ ...shop.app, serviceUrl: shop.proxy.url })
  const reference = { referenceType: 'ORDER_PAYMENT', referenceId: `order-${order}-attempt-1` }
  await coffer.debit({ serviceUserId, amount, ...reference })
}

type Buyer = Awaited<ReturnType<TestShop['orderBeans']>>

/** Switches to another wallet as the widget does. */
async function switchTo(buyer: Buyer, serviceUserId: string) {
  await buyer.post('/wallet/unlink')
  await shop.linkTo(buyer, serviceUserId)
}

async function payWithoutResponse({ press, order }: Buyer) {
  shop.proxy.clear()
  shop.proxy.plan('lose response')
  assert.equal(await press('/pay', order), 'unknown')
}

describe('paying an order', () => {
  it('moves money even after the shop has lost its database and the ledger has not', async () => {
    const earlier = await shop.orderBeans()
    assert.equal(await earlier.press('/pay', earlier.order), 'paid')
    await shop.restart('another-shop.db')
    const visitor = await shop.enter()
    await shop.linkTo(visitor, earlier.wallet.serviceUserId)
    await visitor.post('/orders', { product: 'beans' })
    assert.equal(await visitor.press('/pay', visitor.newestOrder().id), 'paid')
    assert.deepEqual(await shop.readBooks(earlier.wallet.walletId), [
      'debit 1150',
      'debit 1150',
      '7700',
    ])
  })

  it('does not accept a payment of another amount', async () => {
    const { press, order, wallet, state } = await shop.orderBeans()
    await usePaymentReference(order, wallet.serviceUserId, '2.80')
    assert.equal(await press('/pay', order), 'reference-used')
    assert.equal(state(), 'open')
    assert.deepEqual(await shop.readBooks(wallet.walletId), ['debit 280', '9720'])
  })

  it('does not accept a payment from a wallet that was never charged for this order', async () => {
    const { press, order, wallet, state } = await shop.orderBeans()
    const stranger = await shop.makeWallet()
    await usePaymentReference(order, stranger.serviceUserId, BEANS)
    assert.equal(await press('/pay', order), 'reference-used')
    assert.equal(state(), 'open')
    assert.deepEqual(await shop.readBooks(wallet.walletId), ['10000'])
  })

  it('finds the wallet that paid among all wallets linked since then', async () => {
    const buyer = await shop.orderBeans()
    const [second, third] = [await shop.makeWallet(), await shop.makeWallet()]
    await payWithoutResponse(buyer)
    await switchTo(buyer, second.serviceUserId)
    await payWithoutResponse(buyer)
    await switchTo(buyer, third.serviceUserId)
    assert.equal(await buyer.press('/pay', buyer.order), 'paid')
    assert.equal(buyer.state(), 'paid')
    assert.deepEqual(await shop.readBooks(buyer.wallet.walletId), PAID)
    assert.deepEqual(await shop.readBooks(second.walletId), ['10000'])
    assert.deepEqual(await shop.readBooks(third.walletId), ['10000'])
  })

  it('charges the currently linked wallet if the request for the earlier one was lost', async () => {
    const buyer = await shop.orderBeans()
    const other = await shop.makeWallet()
    shop.proxy.plan('lose request')
    assert.equal(await buyer.press('/pay', buyer.order), 'unknown')
    await switchTo(buyer, other.serviceUserId)
    assert.equal(await buyer.press('/pay', buyer.order), 'paid')
    assert.deepEqual(await shop.readBooks(buyer.wallet.walletId), ['10000'])
    assert.deepEqual(await shop.readBooks(other.walletId), PAID)
  })

  it('makes a new attempt after the user has raised the limit for the shop', async () => {
    const { press, order, wallet, state } = await shop.orderBeans()
    const { ledger } = shop.tools
    const { ledgerAccount: account } = shop.app
    const terms = { max: { day: null, week: null, month: null }, endsAtMs: null, timeZone: 'UTC' }
    await ledger.spendLimits.set(wallet.walletId, account, { ...terms, singleMax: 0n })
    assert.equal(await press('/pay', order), 'limited')
    await ledger.spendLimits.set(wallet.walletId, account, null)
    assert.equal(await press('/pay', order), 'paid')
    assert.equal(state(), 'paid')
    assert.deepEqual(await shop.readBooks(wallet.walletId), PAID)
  })

  it('makes a new attempt after the wallet was frozen', async () => {
    const { press, order, wallet, state } = await shop.orderBeans()
    const { ledger } = shop.tools
    await ledger.setWalletActive(wallet.walletId, false)
    assert.equal(await press('/pay', order), 'frozen')
    await ledger.setWalletActive(wallet.walletId, true)
    assert.equal(await press('/pay', order), 'paid')
    assert.equal(state(), 'paid')
    assert.deepEqual(await shop.readBooks(wallet.walletId), PAID)
  })

  it('makes a new attempt if the earlier wallet was refused and the response was lost', async () => {
    const buyer = await shop.orderBeans(1_00n)
    const other = await shop.makeWallet()
    await payWithoutResponse(buyer)
    await switchTo(buyer, other.serviceUserId)
    assert.equal(await buyer.press('/pay', buyer.order), 'try-again')
    assert.equal(buyer.state(), 'open')
    assert.equal(await buyer.press('/pay', buyer.order), 'paid')
    assert.deepEqual(await shop.readBooks(buyer.wallet.walletId), ['100'])
    assert.deepEqual(await shop.readBooks(other.walletId), PAID)
  })
})
