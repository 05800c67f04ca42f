/** An order that is sold by weight is reserved, then collected or canceled, once each. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { startTestShop, type TestShop } from './test/start-test-shop.ts'

const RESERVED = ['hold 1500', '8500']
/** The change of the balance: the capture of 12.40 returned 2.60. */
const COLLECTED = ['hold 1500', 'capture 260', '8760']
const CANCELED = ['hold 1500', 'release 1500', '10000']

let shop: TestShop

before(async () => {
  shop = await startTestShop()
})
after(() => shop.stop())
beforeEach(() => shop.proxy.clear())

describe('an order that is sold by weight', () => {
  it('is reserved, and costs what it weighs', async () => {
    const { press, order, wallet, state, newestOrder } = await shop.orderTea()
    assert.equal(await press('/pay', order), null)
    assert.equal(await press('/reserve', order), 'reserved')
    assert.equal(await press('/reserve', order), 'reserved')
    assert.equal(state(), 'reserved')
    assert.deepEqual(await shop.readBooks(wallet.walletId), RESERVED)
    assert.equal(await press('/refund', order), null)
    assert.equal(await press('/collect', order), 'paid')
    assert.deepEqual([state(), newestOrder().price], ['paid', '12.40'])
    assert.deepEqual(await shop.readBooks(wallet.walletId), COLLECTED)
  })

  it('is canceled, and can then neither be collected nor reserved', async () => {
    const { press, order, wallet, state } = await shop.orderTea()
    await press('/reserve', order)
    assert.equal(await press('/cancel', order), 'canceled')
    for (const path of ['/collect', '/cancel', '/reserve', '/refund']) {
      assert.equal(await press(path, order), null)
    }
    assert.equal(state(), 'canceled')
    assert.deepEqual(await shop.readBooks(wallet.walletId), CANCELED)
  })

  it('is reserved and collected once, however often the buttons are pressed', async () => {
    const { press, order, wallet, state } = await shop.orderTea()
    const all = (path: string) => Promise.all(Array.from({ length: 8 }, () => press(path, order)))
    for (const notice of await all('/reserve')) assert.equal(notice, 'reserved')
    assert.deepEqual(await shop.readBooks(wallet.walletId), RESERVED)
    for (const notice of await all('/collect')) assert(notice === 'paid' || notice === null)
    assert.equal(state(), 'paid')
    assert.deepEqual(await shop.readBooks(wallet.walletId), COLLECTED)
  })

  for (const path of ['/reserve', '/collect', '/cancel']) {
    for (const fault of ['lose request', 'lose response'] as const) {
      it(`${path}: pressing again after a crash with a ${fault.replace('lose', 'lost')} moves the money once`, async () => {
        const { press, order, wallet, state } = await shop.orderTea()
        if (path !== '/reserve') await press('/reserve', order)
        shop.proxy.plan(fault)
        assert.equal(await press(path, order), 'unknown')
        await shop.restart()
        const [notice, status, books] = {
          '/reserve': ['reserved', 'reserved', RESERVED],
          '/collect': ['paid', 'paid', COLLECTED],
          '/cancel': ['canceled', 'canceled', CANCELED],
        }[path] as [string, string, string[]]
        assert.equal(await press(path, order), notice)
        assert.equal(state(), status)
        assert.deepEqual(await shop.readBooks(wallet.walletId), books)
      })
    }
  }

  it('is paid or canceled, never both, if a response is lost and the other button is pressed', async () => {
    for (const [first, second, notice, status, books] of [
      ['/collect', '/cancel', 'paid', 'paid', COLLECTED],
      ['/cancel', '/collect', 'reservation-over', 'canceled', CANCELED],
    ] as const) {
      const { press, order, wallet, state } = await shop.orderTea()
      await press('/reserve', order)
      shop.proxy.plan('lose response')
      assert.equal(await press(first, order), 'unknown')
      assert.equal(await press(second, order), notice)
      assert.equal(state(), status)
      assert.deepEqual(await shop.readBooks(wallet.walletId), books)
    }
  })

  it('is not reserved without enough money, and can be tried again', async () => {
    const { press, order, wallet, state } = await shop.orderTea(14_99n)
    assert.equal(await press('/reserve', order), 'insufficient')
    assert.equal(state(), 'open')
    assert.equal(await press('/reserve', order), 'insufficient')
    assert.deepEqual(await shop.readBooks(wallet.walletId), ['1499'])
  })

  it('refunds a part once, then the rest', async () => {
    const { press, order, wallet, state } = await shop.orderTea()
    await press('/reserve', order)
    await press('/collect', order)
    assert.equal(await press('/refund-part', order), 'partly-refunded')
    assert.equal(await press('/refund-part', order), 'partly-refunded')
    assert.equal(state(), 'partly refunded')
    assert.equal(await press('/refund', order), 'refunded')
    assert.equal(await press('/refund', order), 'refunded')
    assert.equal(state(), 'refunded')
    assert.deepEqual(await shop.readBooks(wallet.walletId), [
      ...COLLECTED.slice(0, 2),
      'refund 100',
      'refund 1140',
      '10000',
    ])
  })
})
