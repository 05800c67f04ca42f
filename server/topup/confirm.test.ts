import { confirmTopup as endpoint } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { link, unlink } from '../identity/link.ts'
import { makeClientApp } from '../test/factories.ts'
import * as refusals from '../test/refusals.ts'
import { assertRefusal, movesNothing } from '../test/setup.ts'
import {
  assertBooks,
  begin,
  beginAndPay,
  confirm,
  inSession,
  openTopupSetup,
  post,
  rowOf,
  topUp,
  walletOf,
  withNewUser,
  type Intent,
  type TopupSetup,
} from '../test/topup-setup.ts'
import { deliver, eventOf } from '../test/webhooks.ts'

const RETRIEVE = 'GET /v1/payment_intents/:id'

describe('POST /api/widget/topup/confirm', () => {
  let setup: TopupSetup
  before(async () => {
    setup = await openTopupSetup()
  })
  after(async () => {
    await assertBooks(setup)
    await setup.close()
  })

  it('200 credits the paid amount and returns the balance', async () => {
    const shop = await withNewUser(setup, 5_00n)
    const intent = await beginAndPay(shop, 12.5)
    const response = await confirm(shop, intent)
    assert.equal(response.statusCode, 200)
    assert.deepEqual(response.json(), {
      status: 'succeeded',
      balance: 17.5,
      paymentIntentId: intent.paymentIntentId,
      amount: 12.5,
      currency: 'USD',
      message: 'Your money has arrived.',
    })
    assert.equal((await rowOf(shop, intent)).status, 'credited')
  })

  it('200 for a payment that is already credited, without a request to the processor', async () => {
    const shop = await withNewUser(setup)
    const intent = await topUp(shop, 12.5)
    const callsBefore = setup.calls.length
    const response = await confirm(shop, intent)
    const { status, balance, amount } = response.json()
    assert.deepEqual([status, balance, amount], ['succeeded', 12.5, 12.5])
    assert.equal(setup.calls.length, callsBefore)
  })

  it('200 processing until the processor has the money, then succeeded', async () => {
    const shop = await withNewUser(setup)
    const intent = await begin(shop)
    setup.sandbox.faults.processing = true
    setup.sandbox.complete(intent.paymentIntentId)
    setup.sandbox.faults.processing = false
    const { status, balance } = (await confirm(shop, intent)).json()
    assert.deepEqual([status, balance], ['processing', 0])
    setup.sandbox.endProcessing(intent.paymentIntentId)
    assert.equal((await confirm(shop, intent)).json().status, 'succeeded')
  })

  it('400 INVALID_REQUEST for an invalid id', async () => {
    const { session } = await begin(setup)
    const here = inSession(endpoint, session)
    for (const paymentIntentId of ['', 'pi/1', '../x', 'a'.repeat(256)]) {
      const response = await post(setup, here, { paymentIntentId })
      assertRefusal(response, endpoint, 'INVALID_REQUEST', 'paymentIntentId')
    }
  })

  it('402 PAYMENT_FAILED when it is not paid, declined or canceled', async () => {
    const unpaid = await begin(setup)
    const declined = await begin(setup)
    setup.sandbox.complete(declined.paymentIntentId, 'pm_card_chargeDeclined')
    const unproven = await begin(setup)
    setup.sandbox.complete(unproven.paymentIntentId, 'pm_card_authenticationRequired', 'failed')
    const cancelled = await begin(setup)
    await setup.tools.processor.stripe.paymentIntents.cancel(cancelled.paymentIntentId)
    await movesNothing(setup.harness.admin, async () => {
      for (const intent of [unpaid, declined, unproven, cancelled]) {
        assertRefusal(await confirm(setup, intent), endpoint, 'PAYMENT_FAILED')
      }
    })
    // The user tries again with another card.
    setup.sandbox.complete(declined.paymentIntentId)
    assert.equal((await confirm(setup, declined)).json<Intent>().status, 'succeeded')
  })

  it('404 PAYMENT_INTENT_NOT_FOUND with the same bytes for an intent of another user, of another app, or unknown', async () => {
    const mine = await beginAndPay(await withNewUser(setup))
    const theirs = await beginAndPay(await withNewUser(setup))
    // The same user in another client app, and an intent of the same Stripe account that the service did not create.
    const other = await makeClientApp(setup.harness.context)
    const serviceUserId = await link(setup.harness.context.db, other.id, setup.user.id)
    const elsewhere = await beginAndPay({
      ...setup,
      app: other,
      user: { ...setup.user, serviceUserId },
    })
    const own = await begin(setup)
    const foreign = await setup.tools.processor.stripe.paymentIntents.create({
      amount: 2000,
      currency: 'usd',
    })
    const calls = setup.calls.length
    const bodies = new Set<string>()
    await movesNothing(setup.harness.admin, async () => {
      for (const { paymentIntentId } of [theirs, elsewhere, { paymentIntentId: foreign.id }]) {
        const response = await confirm(setup, { ...own, paymentIntentId })
        assertRefusal(response, endpoint, 'PAYMENT_INTENT_NOT_FOUND')
        bodies.add(response.body)
      }
      const unknown = await confirm(setup, {
        ...own,
        paymentIntentId: `pi_${randomUUID().slice(0, 8)}`,
      })
      bodies.add(unknown.body)
    })
    assert.equal(bodies.size, 1)
    assert.equal(setup.calls.length, calls)
    for (const intent of [mine, theirs, elsewhere]) await confirm(setup, intent)
  })

  it('401 SESSION_EXPIRED after the user unlinked the app; the payment is still credited', async () => {
    const shop = await withNewUser(setup)
    const intent = await beginAndPay(shop)
    await unlink(setup.harness.context.db, shop.app.id, shop.user.id)
    await movesNothing(setup.harness.admin, async () => {
      assertRefusal(await confirm(shop, intent), endpoint, 'SESSION_EXPIRED')
    })
    await deliver(setup, eventOf(setup, 'payment_intent.succeeded', intent.paymentIntentId))
    assert.equal((await walletOf(shop)).balance, 20_00n)
  })

  it('502 PAYMENT_PROVIDER_ERROR when the processor does not respond; credits the payment once it does', async () => {
    const shop = await withNewUser(setup)
    const intent = await beginAndPay(shop)
    for (const fault of ['timeoutBefore', 'status500', 'status429'] as const) {
      setup.sandbox.faults[fault] = { times: 2, route: RETRIEVE, reset: true }
      await movesNothing(setup.harness.admin, async () => {
        assertRefusal(await confirm(shop, intent), endpoint, 'PAYMENT_PROVIDER_ERROR')
      })
      setup.sandbox.resetFaults()
    }
    assert.equal((await confirm(shop, intent)).json<Intent>().status, 'succeeded')
  })

  it('503 OUTCOME_UNKNOWN while the wallet is locked, and one credit afterwards', async () => {
    const shop = await withNewUser(setup)
    const intent = await beginAndPay(shop)
    const here = inSession(endpoint, intent.session)
    const { paymentIntentId, paymentIntentId: referenceId } = intent
    await refusals.outcomeUnknown(shop, here, () => ({ paymentIntentId, referenceId }))
    assert.equal((await walletOf(shop)).balance, 20_00n)
  })
})
