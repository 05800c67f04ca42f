import { ERRORS, type ErrorCode } from '@coffer/contract/errors'
import { WEBHOOK_MAX_BYTES } from '@coffer/contract/limits'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefusal, movesNothing } from '../test/setup.ts'
import {
  assertBooks,
  begin,
  beginAndPay,
  withCuttableTopupSetup,
  openTopupSetup,
  rowOf,
  walletOf,
  withNewUser,
  type TopupSetup,
} from '../test/topup-setup.ts'
import { deliver, eventOf, sign, WEBHOOK } from '../test/webhooks.ts'

const PAID = 'payment_intent.succeeded'

function assertCode(response: LightMyRequestResponse, code: ErrorCode) {
  const errors = Object.fromEntries(Object.keys(ERRORS).map((each) => [each, {}]))
  assertRefusal(response, { errors }, code)
}

describe('POST /api/processor/webhook', () => {
  let setup: TopupSetup
  before(async () => {
    setup = await openTopupSetup()
  })
  after(async () => {
    await assertBooks(setup)
    await setup.close()
  })

  async function countEvents() {
    const { rows } = await setup.harness.admin.query(
      'select count(*) from directory.processor_events',
    )
    return rows as unknown
  }

  /** Expects that no money moves and no event is recorded. */
  async function leavesNoTrace(act: () => Promise<void>) {
    const earlier = await countEvents()
    await movesNothing(setup.harness.admin, act)
    assert.deepEqual(await countEvents(), earlier)
  }

  function send(body: string, headers: Record<string, string>) {
    return setup.harness.inject({ method: 'POST', url: WEBHOOK, payload: body, headers })
  }

  it('200 credits the payment once', async () => {
    const shop = await withNewUser(setup)
    const intent = await beginAndPay(shop)
    const event = eventOf(setup, PAID, intent.paymentIntentId)
    const response = await deliver(setup, event)
    assert.deepEqual([response.statusCode, response.json()], [200, { received: true }])
    assert.equal((await walletOf(shop)).balance, 20_00n)
    assert.equal((await rowOf(shop, intent)).status, 'credited')
  })

  it('200 for a replayed event, without a change and without a request to the processor', async () => {
    const intent = await beginAndPay(await withNewUser(setup))
    const event = eventOf(setup, PAID, intent.paymentIntentId)
    await deliver(setup, event)
    const calls = setup.calls.length
    await leavesNoTrace(async () => {
      const repeats = Array.from({ length: 10 }, () => deliver(setup, event))
      for (const response of await Promise.all(repeats)) assert.equal(response.statusCode, 200)
    })
    assert.equal(setup.calls.length, calls)
  })

  it('200 for an unknown type of event', async () => {
    const intent = await beginAndPay(await withNewUser(setup))
    await leavesNoTrace(async () => {
      const known = eventOf(setup, PAID, intent.paymentIntentId)
      for (const type of ['charge.succeeded', 'customer.created', 'toString', '']) {
        assert.equal((await deliver(setup, { ...known, id: 'evt_x', type })).statusCode, 200)
      }
    })
    await deliver(setup, eventOf(setup, PAID, intent.paymentIntentId))
  })

  it('200 for an intent that the service did not create, and no money moves', async () => {
    const { stripe } = setup.tools.processor
    const strange = ['', '-'.repeat(36), '5', '00000000-0000-4000-8000-000000000000']
    for (const topupId of strange) {
      const other = await stripe.paymentIntents.create({
        amount: 2000,
        currency: 'usd',
        ...(topupId && { metadata: { topupId } }),
      })
      const event = { ...eventOf(setup, 'payment_intent.created', other.id), type: PAID }
      await movesNothing(setup.harness.admin, async () => {
        assert.equal((await deliver(setup, event)).statusCode, 200)
      })
    }
  })

  it('200 trusts only the id in the event, and requests amount, status and owner from the processor', async () => {
    const shop = await withNewUser(setup)
    const unpaid = await begin(shop)
    const paid = await beginAndPay(shop, 3)
    const event = structuredClone(eventOf(setup, PAID, paid.paymentIntentId))
    Object.assign(event.data.object, { amount: 99_999, amount_received: 99_999, metadata: {} })
    await deliver(setup, event)
    assert.equal((await walletOf(shop)).balance, 3_00n)
    Object.assign(event, { id: 'evt_forged' })
    Object.assign(event.data.object, { id: unpaid.paymentIntentId, status: 'succeeded' })
    await movesNothing(setup.harness.admin, async () => {
      assert.equal((await deliver(setup, event)).statusCode, 200)
    })
  })

  it('400 INVALID_SIGNATURE for a forged, missing, old or future signature, or an altered body', async () => {
    const shop = await withNewUser(setup)
    const intent = await beginAndPay(shop)
    const event = eventOf(setup, PAID, intent.paymentIntentId)
    const body = JSON.stringify(event)
    const { webhookSecret } = setup.sandbox
    const good = sign(body, webhookSecret)
    const [time = '', v1 = ''] = good.split(',')
    const late = sign(body, webhookSecret, -302)
    const early = sign(body, webhookSecret, 302)
    const forged = ['', 'nonsense', time, v1, `${time},v1=`, `${time},v0=${v1.slice(3)}`]
    const wrong = [sign(body, `${webhookSecret}x`), sign(`${body} `, webhookSecret), late, early]
    const mixed = [`${time},${late.split(',')[1]}`, `${time},${early}`, `${early},${time}`]
    await leavesNoTrace(async () => {
      for (const signature of [...forged, ...wrong, ...mixed]) {
        assertCode(await deliver(setup, event, signature), 'INVALID_SIGNATURE')
      }
      const headers = { 'content-type': 'application/json' }
      assertCode(await send(body, headers), 'INVALID_SIGNATURE')
      const altered = body.replace(/"amount":\d+/, '"amount":99999')
      const signed = { ...headers, 'stripe-signature': good }
      assertCode(await send(altered, signed), 'INVALID_SIGNATURE')
      assertCode(await send('', signed), 'INVALID_SIGNATURE')
      // Signed, but not an event.
      const about = (id: string, object: string) =>
        `{"id":${id},"type":"charge.refunded","data":{"object":${object}}}`
      const halves = [about('"evt_1"', 'null'), about('"\\u0000"', '{}'), about('1', '{}')]
      const others = ['nonsense', 'null', '5', '[]', '{}', '{"type":"charge.refunded"}', ...halves]
      for (const other of others) {
        const signature = sign(other, webhookSecret)
        const response = await send(other, { ...headers, 'stripe-signature': signature })
        assertCode(response, 'INVALID_SIGNATURE')
      }
    })
    for (const seconds of [-295, 295]) {
      const response = await deliver(setup, event, sign(body, webhookSecret, seconds))
      assert.equal(response.statusCode, 200)
    }
    assert.equal((await walletOf(shop)).balance, 20_00n)
  })

  it('413 PAYLOAD_TOO_LARGE beyond 256 KiB', async () => {
    const intent = await beginAndPay(await withNewUser(setup))
    const body = JSON.stringify(eventOf(setup, PAID, intent.paymentIntentId))
    const largest = body.padEnd(WEBHOOK_MAX_BYTES)
    const headers = (text: string) => ({
      'content-type': 'application/json',
      'stripe-signature': sign(text, setup.sandbox.webhookSecret),
    })
    await leavesNoTrace(async () => {
      assertCode(await send(`${largest} `, headers(`${largest} `)), 'PAYLOAD_TOO_LARGE')
    })
    assert.equal((await send(largest, headers(largest))).statusCode, 200)
  })

  it('415 UNSUPPORTED_MEDIA_TYPE for anything but JSON', async () => {
    await leavesNoTrace(async () => {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
        const headers = { 'content-type': type, 'stripe-signature': 't=1,v1=2' }
        assertCode(await send('{}', headers), 'UNSUPPORTED_MEDIA_TYPE')
      }
    })
  })

  it('502 PAYMENT_PROVIDER_ERROR while the processor does not respond, so that it delivers the event again', async () => {
    const shop = await withNewUser(setup)
    const intent = await beginAndPay(shop)
    const event = eventOf(setup, PAID, intent.paymentIntentId)
    setup.sandbox.faults.status500 = { times: 2, route: 'GET /v1/payment_intents/:id' }
    assertCode(await deliver(setup, event), 'PAYMENT_PROVIDER_ERROR')
    assert.equal((await walletOf(shop)).balance, 0n)
    assert.equal((await deliver(setup, event)).statusCode, 200)
    assert.equal((await walletOf(shop)).balance, 20_00n)
  })

  it('503 SERVICE_UNAVAILABLE while the database cannot be reached, so that the processor delivers the event again', () =>
    withCuttableTopupSetup(async (shop, admin, cut) => {
      const intent = await beginAndPay(shop)
      await cut()
      await movesNothing(admin, async () => {
        const event = eventOf(shop, PAID, intent.paymentIntentId)
        assertCode(await deliver(shop, event), 'SERVICE_UNAVAILABLE')
      })
    }))
})
