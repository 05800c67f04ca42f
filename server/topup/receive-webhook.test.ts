import { ERRORS, type ErrorCode } from '@coffer/contract/errors'
import { WEBHOOK_MAX_BYTES } from '@coffer/contract/limits'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../test/client.ts'
import { assertRefusal, movesNothing } from '../test/setup.ts'
import {
  assertBooks,
  begin,
  beginAndPay,
  onFragileTopupStage,
  openTopupStage,
  rowOf,
  topUp,
  walletOf,
  withNewUser,
  type TopupStage,
} from '../test/topup-setup.ts'
import { deliver, eventOf, listen, sign, WEBHOOK } from '../test/webhooks.ts'

const PAID = 'payment_intent.succeeded'

function assertCode(response: LightMyRequestResponse, code: ErrorCode) {
  const errors = Object.fromEntries(Object.keys(ERRORS).map((each) => [each, {}]))
  assertRefusal(response, { errors }, code)
}

describe('POST /api/processor/webhook', () => {
  let stage: TopupStage
  before(async () => {
    stage = await openTopupStage()
  })
  after(async () => {
    await assertBooks(stage)
    await stage.close()
  })

  async function countEvents() {
    const { rows } = await stage.harness.admin.query(
      'select count(*) from directory.processor_events',
    )
    return rows as unknown
  }

  /** Neither money nor a record of it. */
  async function leavesNoTrace(act: () => Promise<void>) {
    const earlier = await countEvents()
    await movesNothing(stage.harness.admin, act)
    assert.deepEqual(await countEvents(), earlier)
  }

  function send(body: string, headers: Record<string, string>) {
    return stage.harness.inject({ method: 'POST', url: WEBHOOK, payload: body, headers })
  }

  it('200 credits what was paid, and once', async () => {
    const there = await withNewUser(stage)
    const intent = await beginAndPay(there)
    const event = eventOf(stage, PAID, intent.paymentIntentId)
    const response = await deliver(stage, event)
    assert.deepEqual([response.statusCode, response.json()], [200, { received: true }])
    assert.equal((await walletOf(there)).balance, 20_00n)
    assert.equal((await rowOf(there, intent)).status, 'credited')
  })

  it('200 for a replayed event, which changes nothing and asks the processor nothing', async () => {
    const intent = await beginAndPay(await withNewUser(stage))
    const event = eventOf(stage, PAID, intent.paymentIntentId)
    await deliver(stage, event)
    const calls = stage.calls.length
    await leavesNoTrace(async () => {
      const repeats = Array.from({ length: 10 }, () => deliver(stage, event))
      for (const response of await Promise.all(repeats)) assert.equal(response.statusCode, 200)
    })
    assert.equal(stage.calls.length, calls)
  })

  it('200 for a type that we do not know', async () => {
    const intent = await beginAndPay(await withNewUser(stage))
    await leavesNoTrace(async () => {
      const known = eventOf(stage, PAID, intent.paymentIntentId)
      for (const type of ['charge.succeeded', 'customer.created', 'toString', '']) {
        assert.equal((await deliver(stage, { ...known, id: 'evt_x', type })).statusCode, 200)
      }
    })
    await deliver(stage, eventOf(stage, PAID, intent.paymentIntentId))
  })

  it('200 for an intent that is none of ours, and nothing moves', async () => {
    const { stripe } = stage.tools.processor
    const strange = ['', '-'.repeat(36), '5', '00000000-0000-4000-8000-000000000000']
    for (const topupId of strange) {
      const other = await stripe.paymentIntents.create({
        amount: 2000,
        currency: 'usd',
        ...(topupId && { metadata: { topupId } }),
      })
      const event = { ...eventOf(stage, 'payment_intent.created', other.id), type: PAID }
      await movesNothing(stage.harness.admin, async () => {
        assert.equal((await deliver(stage, event)).statusCode, 200)
      })
    }
  })

  it('200 believes nothing of the event but its name: amount, state and owner are asked for', async () => {
    const there = await withNewUser(stage)
    const unpaid = await begin(there)
    const paid = await beginAndPay(there, 3)
    const event = structuredClone(eventOf(stage, PAID, paid.paymentIntentId))
    Object.assign(event.data.object, { amount: 99_999, amount_received: 99_999, metadata: {} })
    await deliver(stage, event)
    assert.equal((await walletOf(there)).balance, 3_00n)
    Object.assign(event, { id: 'evt_forged' })
    Object.assign(event.data.object, { id: unpaid.paymentIntentId, status: 'succeeded' })
    await movesNothing(stage.harness.admin, async () => {
      assert.equal((await deliver(stage, event)).statusCode, 200)
    })
  })

  it('400 INVALID_SIGNATURE when it is forged, missing, stale, early or the body is altered', async () => {
    const there = await withNewUser(stage)
    const intent = await beginAndPay(there)
    const event = eventOf(stage, PAID, intent.paymentIntentId)
    const body = JSON.stringify(event)
    const { webhookSecret } = stage.sandbox
    const good = sign(body, webhookSecret)
    const [time = '', v1 = ''] = good.split(',')
    const late = sign(body, webhookSecret, -302)
    const early = sign(body, webhookSecret, 302)
    const forged = ['', 'nonsense', time, v1, `${time},v1=`, `${time},v0=${v1.slice(3)}`]
    const wrong = [sign(body, `${webhookSecret}x`), sign(`${body} `, webhookSecret), late, early]
    const mixed = [`${time},${late.split(',')[1]}`, `${time},${early}`, `${early},${time}`]
    await leavesNoTrace(async () => {
      for (const signature of [...forged, ...wrong, ...mixed]) {
        assertCode(await deliver(stage, event, signature), 'INVALID_SIGNATURE')
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
      const response = await deliver(stage, event, sign(body, webhookSecret, seconds))
      assert.equal(response.statusCode, 200)
    }
    assert.equal((await walletOf(there)).balance, 20_00n)
  })

  it('413 PAYLOAD_TOO_LARGE beyond 256 KiB', async () => {
    const intent = await beginAndPay(await withNewUser(stage))
    const body = JSON.stringify(eventOf(stage, PAID, intent.paymentIntentId))
    const largest = body.padEnd(WEBHOOK_MAX_BYTES)
    const headers = (text: string) => ({
      'content-type': 'application/json',
      'stripe-signature': sign(text, stage.sandbox.webhookSecret),
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

  it('502 PAYMENT_PROVIDER_ERROR while the processor does not answer, so that it is sent again', async () => {
    const there = await withNewUser(stage)
    const intent = await beginAndPay(there)
    const event = eventOf(stage, PAID, intent.paymentIntentId)
    stage.sandbox.faults.status500 = { times: 2, route: 'GET /v1/payment_intents/:id' }
    assertCode(await deliver(stage, event), 'PAYMENT_PROVIDER_ERROR')
    assert.equal((await walletOf(there)).balance, 0n)
    assert.equal((await deliver(stage, event)).statusCode, 200)
    assert.equal((await walletOf(there)).balance, 20_00n)
  })

  it('503 SERVICE_UNAVAILABLE while the database cannot be reached, so that it is sent again', () =>
    onFragileTopupStage(async (there, admin, cut) => {
      const intent = await beginAndPay(there)
      await cut()
      await movesNothing(admin, async () => {
        const event = eventOf(there, PAID, intent.paymentIntentId)
        assertCode(await deliver(there, event), 'SERVICE_UNAVAILABLE')
      })
    }))

  it('is called by the processor: lost, doubled and reordered, each payment arrives once and soon', async (test) => {
    const there = await withNewUser(stage)
    await listen(stage)
    Object.assign(stage.sandbox.faults.webhook, { duplicate: 3, reorder: 12 })
    const intents = []
    for (let count = 0; count < 20; count++) intents.push(await begin(there, 1))
    for (const { paymentIntentId } of intents) stage.sandbox.complete(paymentIntentId)
    stage.sandbox.flushWebhooks()
    await stage.sandbox.webhooksSettled()
    assert.equal((await walletOf(there)).balance, 20_00n)
    stage.sandbox.resetFaults()
    const delays: number[] = []
    for (let count = 0; count < 60; count++) {
      const { paymentIntentId } = await begin(there, 1)
      const { balance } = await walletOf(there)
      const paidMs = performance.now()
      stage.sandbox.complete(paymentIntentId)
      while ((await walletOf(there)).balance === balance) await sleep(1)
      delays.push(performance.now() - paidMs)
    }
    const [median, worst] = [0.5, 0.99].map((share) => percentile(delays, share).toFixed(1))
    test.diagnostic(`payment to balance by webhook: p50 ${median} ms, p99 ${worst} ms`)
    await topUp(there)
  })
})
