import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import type Stripe from 'stripe'
import { chargeIdOf, eventTypes, payWith, refusalOf, startWithSdk } from './test-harness.ts'

const { sandbox, stripe } = await startWithSdk()

async function onlyDispute(intent: Stripe.PaymentIntent): Promise<Stripe.Dispute> {
  const { data } = await stripe.disputes.list({ payment_intent: intent.id })
  assert.equal(data.length, 1)
  return data[0] as Stripe.Dispute
}

describe('refunds', () => {
  afterEach(() => sandbox.reset())

  it('200 for partial refunds until nothing is left', async () => {
    const intent = await payWith(stripe, 'pm_card_visa')
    const part = await stripe.refunds.create({
      payment_intent: intent.id,
      amount: 500,
      reason: 'requested_by_customer',
      expand: ['balance_transaction', 'charge'],
    })
    assert.equal(part.status, 'succeeded')
    assert.equal((part.balance_transaction as Stripe.BalanceTransaction).net, -500)
    assert.equal((part.charge as Stripe.Charge).amount_refunded, 500)
    const tooMuch = refusalOf(stripe.refunds.create({ payment_intent: intent.id, amount: 1501 }))
    assert.match((await tooMuch).message, /\$15\.01 usd\) is greater than unrefunded amount/)
    await stripe.refunds.create({ charge: chargeIdOf(intent) })
    const again = await refusalOf(stripe.refunds.create({ payment_intent: intent.id }))
    assert.equal(again.code, 'charge_already_refunded')
    const charge = await stripe.charges.retrieve(chargeIdOf(intent), { expand: ['refunds'] })
    assert.deepEqual([charge.refunded, charge.refunds?.data.length], [true, 2])
    assert.equal((await stripe.refunds.list({ payment_intent: intent.id })).data.length, 2)
    assert.deepEqual(eventTypes(sandbox).slice(3, 5), ['refund.created', 'charge.refunded'])
  })

  it('a refund is pending, then succeeds', async () => {
    const intent = await payWith(stripe, 'pm_card_pendingRefund')
    const refund = await stripe.refunds.create({ payment_intent: intent.id })
    assert.equal(refund.status, 'pending')
    sandbox.succeedRefund(refund.id)
    assert.equal((await stripe.refunds.retrieve(refund.id)).status, 'succeeded')
    assert.ok(eventTypes(sandbox).includes('refund.updated'))
  })

  it('a refund fails later and the money returns to the balance', async () => {
    const intent = await payWith(stripe, 'pm_card_refundFail')
    const refund = await stripe.refunds.create({ payment_intent: intent.id })
    assert.equal(refund.status, 'succeeded')
    const later = await stripe.refunds.retrieve(refund.id, {
      expand: ['failure_balance_transaction'],
    })
    assert.equal(later.status, 'failed')
    assert.equal((later.failure_balance_transaction as Stripe.BalanceTransaction).amount, 2000)
    const charge = await stripe.charges.retrieve(chargeIdOf(intent))
    assert.deepEqual([charge.amount_refunded, charge.refunded], [0, false])
    assert.ok(eventTypes(sandbox).includes('refund.failed'))
    assert.ok(eventTypes(sandbox).includes('charge.refund.updated'))
  })

  it('400 without a paid charge, 404 for an unknown one', async () => {
    const open = await stripe.paymentIntents.create({ amount: 500, currency: 'usd' })
    const refusal = await refusalOf(stripe.refunds.create({ payment_intent: open.id }))
    assert.match(refusal.message, /does not have a successful charge/)
    const unknown = await refusalOf(stripe.refunds.create({ charge: 'ch_nobody' }))
    assert.equal(unknown.code, 'resource_missing')
  })
})

describe('disputes', () => {
  afterEach(() => sandbox.reset())

  it('4000000000000259: disputed, withdrawn with a fee, returned when won', async () => {
    const intent = await payWith(stripe, 'pm_card_createDispute')
    assert.equal(intent.status, 'succeeded')
    const dispute = await onlyDispute(intent)
    assert.deepEqual([dispute.status, dispute.reason], ['needs_response', 'fraudulent'])
    const [taken] = dispute.balance_transactions
    assert.deepEqual([taken?.amount, taken?.fee, taken?.net], [-2000, 1500, -3500])
    assert.deepEqual(eventTypes(sandbox).slice(-2), [
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
    ])
    const refused = await refusalOf(stripe.refunds.create({ payment_intent: intent.id }))
    assert.equal(refused.code, 'charge_disputed')
    const won = sandbox.resolveDispute(dispute.id, 'won')
    assert.deepEqual([won.status, won.balance_transactions[1]?.net], ['won', 2000])
    assert.deepEqual(eventTypes(sandbox).slice(-2), [
      'charge.dispute.funds_reinstated',
      'charge.dispute.closed',
    ])
    assert.throws(() => sandbox.resolveDispute(dispute.id, 'lost'), /cannot become lost/)
  })

  it('closing a dispute loses it; evidence wins or loses it', async () => {
    const first = await onlyDispute(await payWith(stripe, 'pm_card_createDispute'))
    assert.equal((await stripe.disputes.close(first.id)).status, 'lost')
    for (const [text, status] of [
      ['winning_evidence', 'won'],
      ['losing_evidence', 'lost'],
    ] as const) {
      const dispute = await onlyDispute(await payWith(stripe, 'pm_card_createDispute'))
      const evidence = { uncategorized_text: text }
      assert.equal((await stripe.disputes.update(dispute.id, { evidence })).status, status)
    }
  })

  it('4000000000001976: an inquiry moves no money until it escalates', async () => {
    const intent = await payWith(stripe, 'pm_card_createDisputeInquiry')
    const inquiry = await onlyDispute(intent)
    assert.equal(inquiry.status, 'warning_needs_response')
    assert.deepEqual(inquiry.balance_transactions, [])
    const escalated = sandbox.resolveDispute(inquiry.id, 'escalated')
    assert.equal(escalated.status, 'needs_response')
    assert.equal(escalated.balance_transactions.length, 1)
    assert.equal(escalated.is_charge_refundable, false)
    const other = await onlyDispute(await payWith(stripe, 'pm_card_createDisputeInquiry'))
    assert.equal(sandbox.resolveDispute(other.id, 'warning_closed').status, 'warning_closed')
  })

  it('openDispute opens a dispute for a part of the charge', async () => {
    const intent = await payWith(stripe, 'pm_card_visa')
    const dispute = sandbox.openDispute(chargeIdOf(intent), { amount: 700, reason: 'duplicate' })
    assert.deepEqual([dispute.amount, dispute.reason], [700, 'duplicate'])
    assert.equal((await stripe.charges.retrieve(chargeIdOf(intent))).disputed, true)
    const all = await stripe.balanceTransactions.list({ source: dispute.id })
    assert.deepEqual(
      all.data.map(({ amount, reporting_category: category }) => [amount, category]),
      [[-700, 'dispute']],
    )
  })
})
