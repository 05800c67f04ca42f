import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  assertBooks,
  begin,
  beginAndPay,
  openTopupSetup,
  rowOf,
  topUp,
  walletOf,
  withNewUser,
  type TopupSetup,
} from '../test/topup-setup.ts'
import { reconcile } from './reconcile.ts'

describe('reconciling with the processor', () => {
  let setup: TopupSetup
  before(async () => {
    setup = await openTopupSetup()
  })
  after(() => setup.close())

  const run = (creditMissing: boolean) => {
    const period = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 60_000) }
    return reconcile(setup.tools, period, { creditMissing })
  }

  it('reports a payment that is not credited, and credits it once with creditMissing', async () => {
    const shop = await withNewUser(setup)
    const { paymentIntentId: intentId } = await beginAndPay(shop, 20)
    const what = 'paid at the processor, but not credited here'
    assert.deepEqual((await run(false)).differences, [{ intentId, what, isCredited: false }])
    assert.equal((await walletOf(shop)).balance, 0n)
    assert.deepEqual((await run(true)).differences, [{ intentId, what, isCredited: true }])
    assert.deepEqual((await run(true)).differences, [])
    assert.equal((await walletOf(shop)).balance, 20_00n)
    await assertBooks(setup)
  })

  it('reports a payment without a top-up, and a credited top-up without a payment', async () => {
    const { paymentIntents } = setup.tools.processor.stripe
    const foreign = await paymentIntents.create({ amount: 500, currency: 'usd' })
    setup.sandbox.complete(foreign.id)
    const unpaid = await begin(await withNewUser(setup))
    await setup.harness.admin.query(
      `update directory.topups set status = 'credited' where id = $1`,
      [(await rowOf(setup, unpaid)).id],
    )
    const { differences } = await run(true)
    assert.deepEqual(differences, [
      { intentId: foreign.id, what: 'paid, but no top-up of ours', isCredited: false },
      {
        intentId: unpaid.paymentIntentId,
        what: 'credited here, but not paid at the processor',
        isCredited: false,
      },
    ])
  })

  it('looks up the payment of a top-up whose intent was created after the period', async () => {
    const { paymentIntentId: intentId } = await topUp(await withNewUser(setup), 20)
    const intent = setup.sandbox.state.paymentIntents.get(intentId)
    assert(intent !== undefined)
    intent.created += 3_600
    const { differences } = await run(false)
    assert.equal(
      differences.find((each) => each.intentId === intentId),
      undefined,
    )
  })

  it('reports a payment that was credited with another amount, and does not count it as paid', async () => {
    const earlier = await run(false)
    const { paymentIntentId: intentId } = await topUp(await withNewUser(setup), 20)
    const intent = setup.sandbox.state.paymentIntents.get(intentId)
    assert(intent !== undefined)
    for (const [received, what] of [
      [25_00, 'paid 2500, credited 2000'],
      [19_99, 'paid 1999, credited 2000'],
    ] as const) {
      intent.amount_received = received
      const { paid, paidMinor, differences } = await run(true)
      assert.deepEqual([paid, paidMinor], [earlier.paid, earlier.paidMinor])
      assert.deepEqual(
        differences.filter((each) => each.intentId === intentId),
        [{ intentId, what, isCredited: false }],
      )
    }
    intent.amount_received = 20_00
    assert.equal((await run(false)).paid, earlier.paid + 1)
  })
})
