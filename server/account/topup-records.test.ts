/** What becomes of a top-up without a client app: history, list for operators, refund, dispute, reconciliation. */
import { readHistory } from '@coffer/contract/account-api'
import { listTopups, readTopup, refundTopup } from '@coffer/contract/admin/topups'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { reconcile } from '../topup/reconcile.ts'
import { ask } from '../test/account-setup.ts'
import { askAs } from '../test/admin-setup.ts'
import { openAdminTopupSetup, type AdminTopupSetup } from '../test/admin-topup-setup.ts'
import { makePayer, topUpOwn } from '../test/own-topup-setup.ts'
import { assertBooks, chargeOf, walletOf } from '../test/topup-setup.ts'
import { deliver, eventsAbout } from '../test/webhooks.ts'

let setup: AdminTopupSetup
before(async () => {
  setup = await openAdminTopupSetup()
})
after(async () => {
  await assertBooks(setup)
  await setup.close()
})

describe('a top-up that was started at /account', () => {
  it('is in the history of the person', async () => {
    const payer = await makePayer(setup)
    const { paymentIntentId } = await topUpOwn(setup, payer, 20)
    const { transactions } = (await ask(payer, readHistory)).json<{
      transactions: { source: string; app: string | null; amount: number }[]
    }>()
    const shown = transactions.map(({ source, app, amount }) => [source, app, amount])
    assert.deepEqual(shown, [['topup', null, 20]])
    assert(paymentIntentId)
  })

  it('is listed for operators without a client app, and can be refunded', async () => {
    const payer = await makePayer(setup)
    const { id, paymentIntentId } = await topUpOwn(setup, payer, 20)
    const asViewer = (endpointOf: typeof listTopups | typeof readTopup, fields: object) =>
      askAs(setup, setup.viewer, endpointOf, { ...fields })
    for (const search of [paymentIntentId, payer.person.email, id]) {
      const { topups } = (await asViewer(listTopups, { search })).json<{
        topups: { id: string; clientApp: unknown }[]
      }>()
      assert.deepEqual(
        topups.map((each) => [each.id, each.clientApp]),
        [[id, null]],
      )
    }
    const ofApp = { clientId: setup.app.clientId, search: id }
    assert.deepEqual((await asViewer(listTopups, ofApp)).json<{ topups: [] }>().topups, [])
    const fields = { refundId: randomUUID(), topupId: id, amount: 5, reason: 'Paid twice' }
    const refunded = await askAs(setup, setup.operator, refundTopup, fields)
    assert.deepEqual(refunded.json(), { state: 'sent' })
    const read = (await asViewer(readTopup, { id })).json<{ clientApp: null; refunded: number }>()
    assert.deepEqual([read.clientApp, read.refunded], [null, 5])
    assert.equal((await walletOf(payer)).balance, 15_00n)
  })

  it('can be disputed, and agrees with the processor in a reconciliation', async () => {
    const payer = await makePayer(setup)
    const { paymentIntentId } = await topUpOwn(setup, payer, 20)
    setup.sandbox.openDispute(chargeOf(setup, { paymentIntentId }))
    for (const event of eventsAbout(setup, paymentIntentId)) {
      assert.equal((await deliver(setup, event)).statusCode, 200)
    }
    assert.equal((await walletOf(payer)).balance, 0n)
    const from = new Date(Date.now() - 24 * 60 * 60 * 1000)
    const period = { from, to: new Date(Date.now() + 60_000) }
    const { differences } = await reconcile(setup.tools, period, { heal: false })
    assert.deepEqual(
      differences.filter((each) => each.intentId === paymentIntentId),
      [],
    )
  })
})
