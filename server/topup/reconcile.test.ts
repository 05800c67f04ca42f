import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  assertBooks,
  begin,
  beginAndPay,
  openTopupStage,
  rowOf,
  topUp,
  walletOf,
  withNewUser,
  type TopupStage,
} from '../test/topup-setup.ts'
import { reconcile } from './reconcile.ts'

describe('reconciling with the processor', () => {
  let stage: TopupStage
  before(async () => {
    stage = await openTopupStage()
  })
  after(() => stage.close())

  const run = (heal: boolean) => {
    const period = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 60_000) }
    return reconcile(stage.tools, period, { heal })
  }

  it('finds nothing where nothing is amiss', async () => {
    const there = await withNewUser(stage)
    for (let count = 0; count < 3; count++) await topUp(there, 20)
    await begin(there)
    assert.deepEqual(await run(false), { paid: 3, paidMinor: 60_00n, differences: [] })
  })

  it('names what was paid and not credited, and credits it once if it may', async () => {
    const there = await withNewUser(stage)
    const { paymentIntentId: intentId } = await beginAndPay(there, 20)
    const what = 'paid at the processor, but not credited here'
    assert.deepEqual((await run(false)).differences, [{ intentId, what, healed: false }])
    assert.equal((await walletOf(there)).balance, 0n)
    assert.deepEqual((await run(true)).differences, [{ intentId, what, healed: true }])
    assert.deepEqual((await run(true)).differences, [])
    assert.equal((await walletOf(there)).balance, 20_00n)
    await assertBooks(stage)
  })

  it('names what was paid for somebody else, and what was credited without payment', async () => {
    const { paymentIntents } = stage.tools.processor.stripe
    const foreign = await paymentIntents.create({ amount: 500, currency: 'usd' })
    stage.sandbox.complete(foreign.id)
    const unpaid = await begin(await withNewUser(stage))
    await stage.harness.admin.query(
      `update directory.topups set status = 'credited' where id = $1`,
      [(await rowOf(stage, unpaid)).id],
    )
    const { differences } = await run(true)
    assert.deepEqual(differences, [
      { intentId: foreign.id, what: 'paid, but no top-up of ours', healed: false },
      {
        intentId: unpaid.paymentIntentId,
        what: 'credited here, but not paid at the processor',
        healed: false,
      },
    ])
  })
})
