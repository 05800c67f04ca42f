import { confirmTopup as endpoint } from '@coffer/contract/widget-api'
import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { link } from '../identity/link.ts'
import { makeClientApp } from '../test/factories.ts'
import * as refusals from '../test/refusals.ts'
import { assertRefusal, movesNothing } from '../test/setup.ts'
import {
  assertBooks,
  begin,
  beginAndPay,
  confirm,
  inSession,
  openTopupStage,
  post,
  rowOf,
  sweepNow,
  topUp,
  walletOf,
  withNewUser,
  type Intent,
  type TopupStage,
} from '../test/topup-setup.ts'
import { deliver, eventOf } from '../test/webhooks.ts'

const RETRIEVE = 'GET /v1/payment_intents/:id'

describe('POST /api/widget/topup/confirm', () => {
  let stage: TopupStage
  before(async () => {
    stage = await openTopupStage()
  })
  after(async () => {
    await assertBooks(stage)
    await stage.close()
  })

  async function expire({ session }: Intent) {
    await stage.harness.admin.query(
      'update directory.widget_sessions set expires_at = now() where token_hash = $1',
      [hash('sha256', session, 'buffer')],
    )
  }

  it('200 credits what was paid and answers with the balance', async () => {
    const there = await withNewUser(stage, 5_00n)
    const intent = await beginAndPay(there, 12.5)
    const response = await confirm(there, intent)
    assert.equal(response.statusCode, 200)
    assert.deepEqual(response.json(), {
      status: 'succeeded',
      balance: 17.5,
      paymentIntentId: intent.paymentIntentId,
      amount: 12.5,
      currency: 'USD',
      message: 'Your money has arrived.',
    })
    assert.equal((await rowOf(there, intent)).status, 'credited')
  })

  it('200 for fifty at once: one credit, fifty equal answers', async () => {
    const there = await withNewUser(stage)
    const intent = await beginAndPay(there)
    const responses = await Promise.all(Array.from({ length: 50 }, () => confirm(there, intent)))
    assert.deepEqual(new Set(responses.map(({ statusCode }) => statusCode)), new Set([200]))
    assert.equal(new Set(responses.map(({ body }) => body)).size, 1)
    assert.equal((await walletOf(there)).balance, 20_00n)
    await movesNothing(stage.harness.admin, async () => void (await confirm(there, intent)))
  })

  it('200 again for what is credited, without asking the processor', async () => {
    const there = await withNewUser(stage)
    const intent = await topUp(there, 12.5)
    const asked = stage.calls.length
    const response = await confirm(there, intent)
    const { status, balance, amount } = response.json()
    assert.deepEqual([status, balance, amount], ['succeeded', 12.5, 12.5])
    assert.equal(stage.calls.length, asked)
  })

  it('200 takes the amount from the processor, whatever the request says', async () => {
    const there = await withNewUser(stage)
    const intent = await beginAndPay(there, 3)
    const here = inSession(endpoint, intent.session)
    const { paymentIntentId } = intent
    const forged = { paymentIntentId, amount: 1000, currency: 'JPY', status: 'succeeded' }
    const response = await post(there, here, forged)
    assert.equal(response.json<{ amount: number }>().amount, 3)
    assert.equal((await walletOf(there)).balance, 3_00n)
  })

  it('400 INVALID_REQUEST for an invalid id', async () => {
    const { session } = await beginAndPay(stage)
    const here = inSession(endpoint, session)
    for (const paymentIntentId of ['', 'pi/1', '../x', 'a'.repeat(256)]) {
      const response = await post(stage, here, { paymentIntentId })
      assertRefusal(response, endpoint, 'INVALID_REQUEST', 'paymentIntentId')
    }
  })

  it('401 SESSION_EXPIRED when it was paid too late for the session, and the money comes all the same', async () => {
    for (const way of ['webhook', 'sweep']) {
      const there = await withNewUser(stage)
      const intent = await begin(there)
      await expire(intent)
      stage.sandbox.complete(intent.paymentIntentId)
      await movesNothing(stage.harness.admin, async () => {
        assertRefusal(await confirm(there, intent), endpoint, 'SESSION_EXPIRED')
      })
      const event = eventOf(stage, 'payment_intent.succeeded', intent.paymentIntentId)
      if (way === 'webhook') assert.equal((await deliver(stage, event)).statusCode, 200)
      else await sweepNow(stage)
      assert.equal((await walletOf(there)).balance, 20_00n, way)
    }
  })

  it('402 PAYMENT_FAILED when it is not paid, declined or cancelled', async () => {
    const unpaid = await begin(stage)
    const declined = await begin(stage)
    stage.sandbox.complete(declined.paymentIntentId, 'pm_card_chargeDeclined')
    const unproven = await begin(stage)
    stage.sandbox.complete(unproven.paymentIntentId, 'pm_card_authenticationRequired', 'failed')
    const cancelled = await begin(stage)
    await stage.tools.processor.stripe.paymentIntents.cancel(cancelled.paymentIntentId)
    await movesNothing(stage.harness.admin, async () => {
      for (const intent of [unpaid, declined, unproven, cancelled]) {
        assertRefusal(await confirm(stage, intent), endpoint, 'PAYMENT_FAILED')
      }
    })
    // The person tries again with another card.
    stage.sandbox.complete(declined.paymentIntentId)
    assert.equal((await confirm(stage, declined)).json<Intent>().status, 'succeeded')
  })

  it('404 PAYMENT_INTENT_NOT_FOUND of another user, of another app or unknown: byte-equal', async () => {
    const mine = await beginAndPay(await withNewUser(stage))
    const theirs = await beginAndPay(await withNewUser(stage))
    // The same person at another client app, and an intent of the same account that is none of ours.
    const other = await makeClientApp(stage.harness.context)
    const serviceUserId = await link(stage.harness.context.db, other.id, stage.user.id)
    const elsewhere = await beginAndPay({
      ...stage,
      app: other,
      user: { ...stage.user, serviceUserId },
    })
    const own = await begin(stage)
    const foreign = await stage.tools.processor.stripe.paymentIntents.create({
      amount: 2000,
      currency: 'usd',
    })
    const calls = stage.calls.length
    const bodies = new Set<string>()
    await movesNothing(stage.harness.admin, async () => {
      for (const { paymentIntentId } of [theirs, elsewhere, { paymentIntentId: foreign.id }]) {
        const response = await confirm(stage, { ...own, paymentIntentId })
        assertRefusal(response, endpoint, 'PAYMENT_INTENT_NOT_FOUND')
        bodies.add(response.body)
      }
      const unknown = await confirm(stage, {
        ...own,
        paymentIntentId: `pi_${randomUUID().slice(0, 8)}`,
      })
      bodies.add(unknown.body)
    })
    assert.equal(bodies.size, 1)
    assert.equal(stage.calls.length, calls)
    for (const intent of [mine, theirs, elsewhere]) await confirm(stage, intent)
  })

  it('502 PAYMENT_PROVIDER_ERROR when the processor does not answer, and once it does it is credited', async () => {
    const there = await withNewUser(stage)
    const intent = await beginAndPay(there)
    for (const fault of ['timeoutBefore', 'status500', 'status429'] as const) {
      stage.sandbox.faults[fault] = { times: 2, route: RETRIEVE, reset: true }
      await movesNothing(stage.harness.admin, async () => {
        assertRefusal(await confirm(there, intent), endpoint, 'PAYMENT_PROVIDER_ERROR')
      })
      stage.sandbox.resetFaults()
    }
    assert.equal((await confirm(there, intent)).json<Intent>().status, 'succeeded')
  })

  it('503 OUTCOME_UNKNOWN while somebody holds the wallet, and then one credit', async () => {
    const there = await withNewUser(stage)
    const intent = await beginAndPay(there)
    const here = inSession(endpoint, intent.session)
    const { paymentIntentId, paymentIntentId: referenceId } = intent
    await refusals.outcomeUnknown(there, here, () => ({ paymentIntentId, referenceId }))
    assert.equal((await walletOf(there)).balance, 20_00n)
  })
})
