import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, it } from 'node:test'
import type Stripe from 'stripe'
import { idOf } from './state.ts'
import { chargeIdOf, eventTypes, payWith, refusalOf, startWithSdk } from './test-harness.ts'

const { sandbox, stripe } = await startWithSdk()
const card = { allowed_payment_method_types: ['card'] }

describe('payment intents', () => {
  afterEach(() => sandbox.reset())

  it('200 creates an intent that waits for a card', async () => {
    const intent = await stripe.paymentIntents.create({
      amount: 1099,
      currency: 'USD',
      automatic_payment_methods: { enabled: true },
      metadata: { user: 'u1', note: 'a & b' },
    })
    assert.equal(intent.status, 'requires_payment_method')
    assert.equal(intent.currency, 'usd')
    assert.deepEqual(intent.metadata, { user: 'u1', note: 'a & b' })
    assert.match(intent.client_secret ?? '', /^pi_\w{24}_secret_\w{25}$/)
    assert.deepEqual(eventTypes(sandbox), ['payment_intent.created'])
    assert.equal((await stripe.paymentIntents.retrieve(intent.id)).id, intent.id)
  })

  it('200 pays immediately, with a charge, a fee and a balance transaction', async () => {
    const intent = await stripe.paymentIntents.create({
      ...card,
      amount: 2000,
      currency: 'usd',
      confirm: true,
      payment_method: 'pm_card_visa',
      expand: ['latest_charge.balance_transaction'],
    })
    const charge = intent.latest_charge as Stripe.Charge
    const booked = charge.balance_transaction as Stripe.BalanceTransaction
    assert.equal(intent.status, 'succeeded')
    assert.equal(intent.amount_received, 2000)
    assert.deepEqual([booked.amount, booked.fee, booked.net], [2000, 88, 1912])
    assert.equal(charge.payment_method_details?.card?.last4, '4242')
    assert.deepEqual(eventTypes(sandbox), [
      'payment_intent.created',
      'charge.succeeded',
      'payment_intent.succeeded',
    ])
    const [created, , paid] = [...sandbox.state.events.values()].map(({ data }) => data.object)
    assert.deepEqual(
      [created, paid].map((object) => (object as Stripe.PaymentIntent).status),
      ['requires_confirmation', 'succeeded'],
    )
  })

  it('200 expands an intent in its charge; 400 for a property that cannot be expanded', async () => {
    const intent = await payWith(stripe, 'pm_card_visa')
    const charge = await stripe.charges.retrieve(chargeIdOf(intent), {
      expand: ['payment_intent', 'balance_transaction', 'refunds'],
    })
    assert.equal((charge.payment_intent as Stripe.PaymentIntent).id, intent.id)
    assert.deepEqual(charge.refunds?.data, [])
    const refusal = await refusalOf(stripe.charges.retrieve(charge.id, { expand: ['nonsense'] }))
    assert.match(refusal.message, /cannot be expanded \(nonsense\)/)
  })

  it('200 updates, confirms later, and cancels', async () => {
    const intent = await stripe.paymentIntents.create({ ...card, amount: 500, currency: 'eur' })
    const updated = await stripe.paymentIntents.update(intent.id, {
      amount: 700,
      metadata: { a: '1' },
      payment_method: 'pm_card_mastercard',
    })
    assert.equal(updated.status, 'requires_confirmation')
    const more = await stripe.paymentIntents.update(intent.id, { metadata: { a: '', b: '2' } })
    assert.deepEqual(more.metadata, { b: '2' })
    const none = await stripe.paymentIntents.update(intent.id, { metadata: '' })
    assert.deepEqual(none.metadata, {})
    assert.equal((await stripe.paymentIntents.confirm(intent.id)).status, 'succeeded')
    const again = await refusalOf(stripe.paymentIntents.confirm(intent.id))
    assert.equal(again.code, 'payment_intent_unexpected_state')
    assert.equal(again.payment_intent?.status, 'succeeded')
    const late = await refusalOf(stripe.paymentIntents.cancel(intent.id))
    assert.equal(late.code, 'payment_intent_unexpected_state')
    const other = await stripe.paymentIntents.create({ ...card, amount: 500, currency: 'eur' })
    const canceled = await stripe.paymentIntents.cancel(other.id, {
      cancellation_reason: 'abandoned',
    })
    assert.deepEqual([canceled.status, canceled.cancellation_reason], ['canceled', 'abandoned'])
    assert.ok(eventTypes(sandbox).includes('payment_intent.canceled'))
  })

  it('200 lists newest first with cursors in both directions and a range', async () => {
    const ids: string[] = []
    for (let index = 0; index < 5; index += 1) {
      const params = { ...card, amount: 500 + index, currency: 'usd' }
      ids.unshift((await stripe.paymentIntents.create(params)).id)
    }
    const page = await stripe.paymentIntents.list({ limit: 2 })
    assert.deepEqual(
      page.data.map(({ id }) => id),
      ids.slice(0, 2),
    )
    assert.equal(page.has_more, true)
    const after = await stripe.paymentIntents.list({ limit: 2, starting_after: ids[3] ?? '' })
    assert.deepEqual(
      after.data.map(({ id }) => id),
      ids.slice(4),
    )
    const before = await stripe.paymentIntents.list({ limit: 2, ending_before: ids[3] ?? '' })
    assert.deepEqual(
      before.data.map(({ id }) => id),
      ids.slice(1, 3),
    )
    assert.equal(before.has_more, true)
    const last = await stripe.paymentIntents.list({ limit: 2, starting_after: ids[2] ?? '' })
    assert.deepEqual([last.data.length, last.has_more], [2, false])
    const first = await stripe.paymentIntents.list({ limit: 2, ending_before: ids[2] ?? '' })
    assert.deepEqual([first.data.length, first.has_more], [2, false])
    const future = { created: { gt: Math.floor(Date.now() / 1000) + 10 } }
    assert.deepEqual((await stripe.paymentIntents.list(future)).data, [])
    const all: string[] = []
    for await (const { id } of stripe.paymentIntents.list({ limit: 2 })) all.push(id)
    assert.deepEqual(all, ids)
  })

  it('400 without a return_url if a redirect is possible', async () => {
    const refusal = await refusalOf(
      stripe.paymentIntents.create({
        amount: 500,
        currency: 'usd',
        payment_method: 'pm_card_visa',
        confirm: true,
      }),
    )
    assert.match(refusal.message, /you must provide a `return_url`/)
    assert.equal(sandbox.state.paymentIntents.size, 0)
  })

  it('an intent stays in processing until endProcessing is called', async () => {
    sandbox.faults.processing = true
    const intent = await payWith(stripe, 'pm_card_visa')
    assert.equal(intent.status, 'processing')
    assert.equal(sandbox.endProcessing(intent.id).status, 'succeeded')
    assert.ok(eventTypes(sandbox).includes('payment_intent.processing'))
  })

  it('the balance transaction can be created later, with the event charge.updated', async () => {
    sandbox.faults.balanceTransactionDelayMs = 1_000
    const intent = await payWith(stripe, 'pm_card_visa')
    const charge = await stripe.charges.retrieve(chargeIdOf(intent))
    assert.equal(charge.balance_transaction, null)
    while (eventTypes(sandbox).at(-1) !== 'charge.updated') await sleep(20)
    const later = await stripe.charges.retrieve(charge.id)
    assert.match(idOf(later.balance_transaction), /^txn_/)
  })
})

describe('amounts and currencies', () => {
  const refused: [number, string, string][] = [
    [49, 'usd', 'amount_too_small'],
    [29, 'gbp', 'amount_too_small'],
    [49, 'jpy', 'amount_too_small'],
    [0, 'usd', 'parameter_invalid_integer'],
    [-5, 'usd', 'parameter_invalid_integer'],
    [100_000_000, 'usd', 'amount_too_large'],
    [1005, 'kwd', 'parameter_invalid_integer'],
    [10.5, 'usd', 'parameter_invalid_integer'],
  ]
  for (const [amount, currency, code] of refused) {
    it(`400 ${code}: ${amount} ${currency}`, async () => {
      const refusal = await refusalOf(stripe.paymentIntents.create({ ...card, amount, currency }))
      assert.deepEqual([refusal.statusCode, refusal.code, refusal.param], [400, code, 'amount'])
    })
  }

  for (const [amount, currency] of [
    [50, 'jpy'],
    [1010, 'kwd'],
    [30, 'gbp'],
  ] as const) {
    it(`200 ${amount} ${currency}`, async () => {
      const intent = await stripe.paymentIntents.create({ ...card, amount, currency })
      assert.equal(intent.amount, amount)
    })
  }

  it('400 for an unknown currency, an unknown parameter and a missing amount', async () => {
    const create = (params: object) =>
      refusalOf(stripe.paymentIntents.create(params as Stripe.PaymentIntentCreateParams))
    assert.equal((await create({ amount: 500, currency: 'xxq' })).param, 'currency')
    const unknown = await create({ amount: 500, currency: 'usd', amonut: 5 })
    assert.deepEqual([unknown.code, unknown.param], ['parameter_unknown', 'amonut'])
    assert.equal((await create({ currency: 'usd' })).code, 'parameter_missing')
  })
})
