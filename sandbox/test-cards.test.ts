import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { Stripe } from 'stripe'
import { eventTypes, payWith, refusalOf, startWithSdk } from './test-harness.ts'
import { TEST_CARDS, passesLuhn } from './test-cards.ts'

const { sandbox, stripe } = await startWithSdk()

async function createCard(number: string, more: object = {}) {
  const card = {
    number,
    exp_month: 12,
    exp_year: new Date().getFullYear() + 1,
    cvc: '123',
    ...more,
  }
  return await stripe.paymentMethods.create({ type: 'card', card })
}

describe('test cards', () => {
  afterEach(() => sandbox.reset())

  it('every listed number passes the Luhn check', () => {
    assert.deepEqual(
      [...TEST_CARDS.keys()].filter((number) => !passesLuhn(number)),
      [],
    )
  })

  const declined = [
    ['4000000000000002', 'card_declined', 'generic_decline'],
    ['4000000000009995', 'card_declined', 'insufficient_funds'],
    ['4000000000009987', 'card_declined', 'lost_card'],
    ['4000000000000069', 'expired_card', undefined],
    ['4000000000000127', 'incorrect_cvc', undefined],
    ['4000000000000119', 'processing_error', undefined],
    ['4012888888881881', 'card_declined', 'test_mode_live_card'],
  ] as const
  for (const [number, code, declineCode] of declined) {
    it(`402 ${code} ${declineCode ?? ''} with ${number}, then another card pays`, async () => {
      const refusal = await refusalOf(payWith(stripe, (await createCard(number)).id))
      assert.ok(refusal instanceof Stripe.errors.StripeCardError)
      assert.deepEqual([refusal.statusCode, refusal.code], [402, code])
      assert.equal(refusal.decline_code || undefined, declineCode)
      const intent = await stripe.paymentIntents.retrieve(refusal.payment_intent?.id ?? '')
      assert.equal(intent.status, 'requires_payment_method')
      assert.equal(intent.last_payment_error?.code, code)
      assert.equal(intent.last_payment_error?.payment_method?.card?.last4, number.slice(-4))
      assert.deepEqual(eventTypes(sandbox).slice(-2), [
        'charge.failed',
        'payment_intent.payment_failed',
      ])
      const paid = await stripe.paymentIntents.confirm(intent.id, {
        payment_method: 'pm_card_visa',
      })
      assert.equal(paid.status, 'succeeded')
      assert.equal(paid.last_payment_error, null)
    })
  }

  it('402 incorrect_number, invalid_expiry_year, invalid_cvc', async () => {
    assert.equal((await refusalOf(createCard('4242424242424241'))).code, 'incorrect_number')
    const old = createCard('4242424242424242', { exp_year: 2020 })
    assert.equal((await refusalOf(old)).code, 'invalid_expiry_year')
    const now = new Date()
    const lastMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1))
    const expired = createCard('4242424242424242', {
      exp_month: lastMonth.getUTCMonth() + 1,
      exp_year: lastMonth.getUTCFullYear(),
    })
    assert.equal((await refusalOf(expired)).code, 'invalid_expiry_year')
    const short = createCard('4242424242424242', { cvc: '1' })
    assert.equal((await refusalOf(short)).code, 'invalid_cvc')
  })

  for (const name of ['pm_card_threeDSecure2Required', 'pm_card_authenticationRequired']) {
    it(`${name} requires 3-D Secure and succeeds after it`, async () => {
      const intent = await payWith(stripe, name)
      assert.equal(intent.status, 'requires_action')
      assert.equal(intent.next_action?.type, 'use_stripe_sdk')
      assert.equal(sandbox.authenticate(intent.id, 'succeeded').status, 'succeeded')
      const charge = await stripe.charges.list({ payment_intent: intent.id })
      const details = charge.data[0]?.payment_method_details?.card?.three_d_secure
      assert.equal(details?.result, 'authenticated')
    })
  }

  it('3-D Secure failed, then paid with another card', async () => {
    const intent = await payWith(stripe, (await createCard('4000002500003155')).id)
    const failed = sandbox.authenticate(intent.id, 'failed')
    assert.equal(failed.status, 'requires_payment_method')
    assert.equal(failed.last_payment_error?.code, 'payment_intent_authentication_failure')
    assert.equal(sandbox.complete(intent.id).status, 'succeeded')
  })

  it('3-D Secure with another card replaces the challenge of the first', async () => {
    const { id } = await payWith(stripe, (await createCard('4000002500003155')).id)
    assert.equal(sandbox.complete(id, '4000002760003184').status, 'requires_action')
    assert.equal(sandbox.authenticate(id, 'succeeded').status, 'succeeded')
    const [charge] = (await stripe.charges.list({ payment_intent: id })).data
    assert.equal(charge?.payment_method_details?.card?.last4, '3184')
    assert.throws(() => sandbox.authenticate(id, 'succeeded'), /No challenge is open/)
  })

  it('3-D Secure passed, then declined', async () => {
    const intent = await payWith(stripe, (await createCard('4000008400001629')).id)
    const declinedIntent = sandbox.authenticate(intent.id, 'succeeded')
    assert.equal(declinedIntent.status, 'requires_payment_method')
    assert.equal(declinedIntent.last_payment_error?.decline_code, 'generic_decline')
  })

  it('3-D Secure on a separate page if the server sends a return_url', async () => {
    const intent = await stripe.paymentIntents.create({
      amount: 500,
      currency: 'usd',
      payment_method: 'pm_card_authenticationRequired',
      confirm: true,
      return_url: 'https://shop.example/done',
    })
    assert.equal(intent.next_action?.redirect_to_url?.return_url, 'https://shop.example/done')
    assert.match(intent.next_action?.redirect_to_url?.url ?? '', /\/sandbox\/3ds\/payatt_/)
  })
})
