/** topup.credited and wallet.frozen by a dispute: exactly one event, whoever reports the payment and however often. */
import { readWallet } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { link, unlink } from '../identity/link.ts'
import { eventsOf, withoutOutbox } from '../test/events/feed-setup.ts'
import { makeClientApp } from '../test/factories.ts'
import { call } from '../test/setup.ts'
import {
  beginAndPay,
  chargeOf,
  confirm,
  openTopupSetup,
  rowOf,
  sweepNow,
  topUp,
  walletOf,
  withNewUser,
  type Intent,
  type TopupSetup,
} from '../test/topup-setup.ts'
import { deliver, eventsAbout } from '../test/webhooks.ts'

let setup: TopupSetup
before(async () => {
  setup = await openTopupSetup({ FREEZE_ON_DISPUTE: 'true' })
})
after(() => setup.close())

async function deliverAll(shop: TopupSetup, { paymentIntentId }: Intent) {
  for (const event of eventsAbout(shop, paymentIntentId)) {
    assert.equal((await deliver(shop, event)).statusCode, 200)
  }
}

describe('topup.credited', () => {
  it('has the entry of the history, once, however often the payment is reported', async () => {
    const shop = await withNewUser(setup, 5_00n)
    let topupId = ''
    const found = await eventsOf(shop, async () => {
      const intent = await beginAndPay(shop, 20)
      topupId = (await rowOf(shop, intent)).id
      await Promise.all([confirm(shop, intent), confirm(shop, intent), deliverAll(shop, intent)])
      await sweepNow(shop)
      await deliverAll(shop, intent)
    })
    const { serviceUserId } = shop.user
    const wallet = await call(shop, readWallet, { serviceUserId })
    const [entry] = wallet.json<{ transactions: { id: string }[] }>().transactions
    const data = { serviceUserId, topupId, transactionId: entry?.id }
    assert.deepEqual(found, [
      ['topup.credited', { ...data, amount: 20, currency: 'USD', balance: 25 }],
    ])
  })

  it('goes to the app through which it began, and not after the person has unlinked it', async () => {
    const { context } = setup.harness
    const shop = await withNewUser(setup)
    const other = { harness: setup.harness, app: await makeClientApp(context) }
    await link(context.db, other.app.id, shop.user.id)
    const intent = await beginAndPay(shop, 20)
    assert.deepEqual(await eventsOf(other, () => confirm(shop, intent)), [])
    const late = await beginAndPay(shop, 20)
    const found = await eventsOf(shop, async () => {
      await unlink(context.db, shop.app.id, shop.user.id)
      await deliverAll(shop, late)
    })
    assert.deepEqual(
      found.map(([type]) => type),
      ['link.ended'],
    )
    assert.equal((await walletOf(shop)).balance, 40_00n)
  })

  it('a process that stops between the credit and the event leaves the event to the next one', async () => {
    const shop = await withNewUser(setup)
    const intent = await beginAndPay(shop, 20)
    await withoutOutbox(setup.harness.admin, async () => {
      assert.equal((await confirm(shop, intent)).statusCode, 500)
      // The ledger has the money; the top-up is still open, so it is checked again.
      assert.equal((await walletOf(shop)).balance, 20_00n)
      assert.equal((await rowOf(shop, intent)).status, 'open')
    })
    const found = await eventsOf(shop, () => sweepNow(shop))
    assert.deepEqual(
      found.map(([type, { balance }]) => [type, balance]),
      [['topup.credited', 20]],
    )
    assert.equal((await rowOf(shop, intent)).status, 'credited')
  })
})

describe('wallet.frozen', () => {
  it('once for a dispute, also if a process stops after it has frozen the wallet', async () => {
    const shop = await withNewUser(setup)
    const intent = await topUp(shop, 20)
    setup.sandbox.openDispute(chargeOf(shop, intent))
    const { serviceUserId } = shop.user
    const found = await eventsOf(shop, async () => {
      await withoutOutbox(setup.harness.admin, async () => {
        const responses = []
        for (const event of eventsAbout(shop, intent.paymentIntentId)) {
          responses.push((await deliver(shop, event)).statusCode)
        }
        assert(responses.includes(500))
        assert.equal((await walletOf(shop)).isActive, true)
      })
      await deliverAll(shop, intent)
      await setup.harness.admin.query('delete from directory.processor_events')
      await deliverAll(shop, intent)
    })
    assert.deepEqual(found, [['wallet.frozen', { serviceUserId }]])
    assert.equal((await walletOf(shop)).isActive, false)
  })
})
