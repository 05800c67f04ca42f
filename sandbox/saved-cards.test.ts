import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { eventTypes, refusalOf, startWithSdk } from './test-harness.ts'

const { sandbox, stripe } = await startWithSdk()
const card = { amount: 2000, currency: 'usd', allowed_payment_method_types: ['card'] }
const unattended = { confirm: true, off_session: true }

async function saveCard(name = 'pm_card_visa') {
  const { id: customer } = await stripe.customers.create()
  const { id } = await stripe.paymentMethods.attach(name, { customer })
  return { customer, payment_method: id }
}

async function listIds(customer: string): Promise<string[]> {
  const { data } = await stripe.paymentMethods.list({ customer, type: 'card' })
  return data.map(({ id }) => id)
}

describe('a saved card', () => {
  afterEach(() => sandbox.reset())

  it('is saved by a payment with setup_future_usage, if it succeeds', async () => {
    const { id: customer } = await stripe.customers.create()
    const saving = { ...card, customer, confirm: true, setup_future_usage: 'off_session' } as const
    await refusalOf(
      stripe.paymentIntents.create({ ...saving, payment_method: 'pm_card_chargeDeclined' }),
    )
    assert.deepEqual(await listIds(customer), [])
    const paid = await stripe.paymentIntents.create({ ...saving, payment_method: 'pm_card_visa' })
    assert.deepEqual(await listIds(customer), [paid.payment_method])
    assert(eventTypes(sandbox).includes('payment_method.attached'))
  })

  it('is not saved by a payment without it', async () => {
    const { id: customer } = await stripe.customers.create()
    await stripe.paymentIntents.create({
      ...card,
      customer,
      confirm: true,
      payment_method: 'pm_card_visa',
    })
    assert.deepEqual(await listIds(customer), [])
  })

  it('pays while its holder is away', async () => {
    const saved = await saveCard()
    const paid = await stripe.paymentIntents.create({ ...card, ...saved, ...unattended })
    assert.equal(paid.status, 'succeeded')
  })

  it('402 authentication_required if the bank wants to ask its holder, who is away', async () => {
    const saved = await saveCard('pm_card_authenticationRequired')
    const refusal = await refusalOf(
      stripe.paymentIntents.create({ ...card, ...saved, ...unattended }),
    )
    assert.equal(refusal.code, 'authentication_required')
    assert.equal(refusal.payment_intent?.status, 'requires_payment_method')
  })

  it('400 pays neither without its customer nor for another', async () => {
    const { payment_method } = await saveCard()
    const { customer } = await saveCard()
    for (const given of [{}, { customer }]) {
      const refusal = await refusalOf(
        stripe.paymentIntents.create({ ...card, ...given, payment_method, confirm: true }),
      )
      assert.equal(refusal.param, 'payment_method')
    }
  })

  it('400 pays no more after it was removed, also an intent that was created before', async () => {
    const saved = await saveCard()
    const open = await stripe.paymentIntents.create({ ...card, ...saved })
    await stripe.paymentMethods.detach(saved.payment_method)
    assert.deepEqual(await listIds(saved.customer), [])
    for (const call of [
      stripe.paymentIntents.create({ ...card, ...saved, ...unattended }),
      stripe.paymentIntents.confirm(open.id, { off_session: true }),
      stripe.paymentMethods.detach(saved.payment_method),
    ]) {
      assert.equal((await refusalOf(call)).statusCode, 400)
    }
  })

  it('can be the default of its customer only, until it is removed', async () => {
    const { customer, payment_method: id } = await saveCard()
    const other = await saveCard()
    const settings = { invoice_settings: { default_payment_method: id } }
    const changed = await stripe.customers.update(customer, settings)
    assert.equal(changed.invoice_settings.default_payment_method, id)
    const refusal = await refusalOf(stripe.customers.update(other.customer, settings))
    assert.equal(refusal.code, 'resource_missing')
    await stripe.paymentMethods.detach(id)
    const after = await stripe.customers.retrieve(customer)
    assert(!after.deleted)
    assert.equal(after.invoice_settings.default_payment_method, null)
  })

  it('is removed together with its customer', async () => {
    const saved = await saveCard()
    assert.equal((await stripe.customers.del(saved.customer)).deleted, true)
    const refusal = await refusalOf(stripe.customers.del(saved.customer))
    assert.equal(refusal.statusCode, 404)
    const { payment_method } = saved
    const unpaid = stripe.paymentIntents.create({ ...card, payment_method, confirm: true })
    assert.equal((await refusalOf(unpaid)).statusCode, 400)
  })
})
