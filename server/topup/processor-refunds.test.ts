/** Somebody with access to the processor makes a refund and names it after one of ours. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import {
  assertBooks,
  chargeOf,
  openTopupSetup,
  rowOf,
  topUp,
  walletOf,
  withNewUser,
  type Intent,
  type TopupSetup,
} from '../test/topup-setup.ts'
import { deliver, eventsAbout } from '../test/webhooks.ts'
import { refundTopup } from './refund-topup.ts'
import { applyRefunds } from './apply-refunds.ts'

describe('a refund at the processor that is named after one of ours', () => {
  let setup: TopupSetup
  before(async () => {
    setup = await openTopupSetup()
  })
  after(async () => {
    await assertBooks(setup)
    await setup.close()
  })

  async function refund(intent: Intent, amountMinor: bigint) {
    const id = randomUUID()
    const { id: topupId } = await rowOf(setup, intent)
    await refundTopup(setup.tools, topupId, amountMinor, { id }).catch(() => {})
    const { rows } = await setup.harness.admin.query<{ status: string }>(
      'select status from directory.refunds where id = $1',
      [id],
    )
    return { id, status: rows[0]?.status }
  }

  async function deliverAll({ paymentIntentId }: Intent) {
    for (const event of eventsAbout(setup, paymentIntentId)) {
      assert.equal((await deliver(setup, event)).statusCode, 200)
    }
  }

  /** 8.00 leave the wallet once, and come back if the refund fails. */
  async function assertDebited(shop: TopupSetup, intent: Intent, refundId: string) {
    const { balance } = await walletOf(shop)
    const { id } = await setup.tools.processor.stripe.refunds.create({
      payment_intent: intent.paymentIntentId,
      amount: 8_00,
      metadata: { refundId },
    })
    await deliverAll(intent)
    assert.equal((await walletOf(shop)).balance, balance - 8_00n)
    await assertBooks(setup)
    setup.sandbox.failRefund(id)
    await deliverAll(intent)
    assert.equal((await walletOf(shop)).balance, balance)
  }

  it('is debited if the ledger refused ours', async () => {
    const shop = await withNewUser(setup)
    const intent = await topUp(shop, 20)
    await refund(intent, 12_00n)
    await setup.harness.context.ledger.post({
      kind: 'debit',
      referenceType: 'ORDER',
      referenceId: randomUUID(),
      walletId: shop.user.walletId,
      amountMinor: 5_00n,
      counterAccount: shop.app.ledgerAccount,
      description: null,
    })
    const ours = await refund(intent, 8_00n)
    assert.equal(ours.status, 'refused')
    await topUp(shop, 20)
    await assertDebited(shop, intent, ours.id)
  })

  it('is debited if the processor refused ours', async () => {
    const shop = await withNewUser(setup)
    const intent = await topUp(shop, 20)
    const { id } = setup.sandbox.openDispute(chargeOf(shop, intent), { isInquiry: true })
    const inquiry = setup.sandbox.state.disputes.get(id)
    assert(inquiry !== undefined)
    inquiry.is_charge_refundable = false
    const ours = await refund(intent, 8_00n)
    assert.equal(ours.status, 'released')
    inquiry.is_charge_refundable = true
    await assertDebited(shop, intent, ours.id)
  })

  it('stays released if a response from before it failed arrives last', async () => {
    const shop = await withNewUser(setup)
    const intent = await topUp(shop, 20)
    const { id } = await setup.tools.processor.stripe.refunds.create({
      payment_intent: intent.paymentIntentId,
      amount: 8_00,
    })
    setup.sandbox.failRefund(id)
    await deliverAll(intent)
    const refunded = setup.sandbox.state.refunds.get(id)
    assert(refunded !== undefined)
    refunded.status = 'succeeded'
    await applyRefunds(setup.tools, intent.paymentIntentId)
    refunded.status = 'failed'
    assert.equal((await walletOf(shop)).balance, 20_00n)
    const { rows } = await setup.harness.admin.query(
      'select status from directory.refunds where stripe_id = $1',
      [id],
    )
    assert.deepEqual(rows, [{ status: 'released' }])
  })

  it('is debited if ours was sent before', async () => {
    const shop = await withNewUser(setup)
    const intent = await topUp(shop, 20)
    const ours = await refund(intent, 8_00n)
    assert.equal(ours.status, 'sent')
    await assertDebited(shop, intent, ours.id)
  })
})
