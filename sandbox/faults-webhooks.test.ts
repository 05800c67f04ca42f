import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Stripe } from 'stripe'
import { payWith, refusalOf, startReceiver, startWithSdk, type Received } from './test-harness.ts'

const RETRY_DELAYS_MS = [20, 40, 1_100]
const receiver = await startReceiver()
const { sandbox, stripe } = await startWithSdk({
  webhookUrl: receiver.url,
  webhookRetryDelaysMs: RETRY_DELAYS_MS,
  webhookTimeoutMs: 500,
})
const params = { amount: 500, currency: 'usd' }

function open({ body, signature }: Received): Stripe.Event {
  return stripe.webhooks.constructEvent(body, signature, sandbox.webhookSecret)
}

async function until(isTrue: () => boolean) {
  for (let tries = 0; !isTrue(); tries += 1) {
    assert.ok(tries < 400, 'the condition did not become true')
    await pause(5)
  }
}

async function endAllDeliveries() {
  sandbox.reset()
  await sandbox.webhooksIdle()
  await pause(10)
  receiver.received.length = 0
  receiver.status = 200
}

describe('API faults', () => {
  afterEach(endAllDeliveries)
  const patient = { idempotencyKey: 'k' }
  const impatient = { ...patient, timeout: 1_000 }

  it('timeoutBefore: creates nothing; a retry creates the intent', async () => {
    sandbox.faults.timeoutBefore = { times: 1 }
    const refusal = await refusalOf(stripe.paymentIntents.create(params, impatient))
    assert.ok(refusal instanceof Stripe.errors.StripeConnectionError)
    assert.equal(sandbox.state.paymentIntents.size, 0)
    await stripe.paymentIntents.create(params, patient)
    assert.equal(sandbox.state.paymentIntents.size, 1)
  })

  it('timeoutAfter: creates the intent; a retry with the same key returns it', async () => {
    sandbox.faults.timeoutAfter = { times: 1 }
    await refusalOf(stripe.paymentIntents.create(params, impatient))
    assert.equal(sandbox.state.paymentIntents.size, 1)
    const [created] = sandbox.state.paymentIntents.keys()
    assert.equal((await stripe.paymentIntents.create(params, patient)).id, created)
    assert.equal(sandbox.state.paymentIntents.size, 1)
  })

  it('reset closes the connection immediately', async () => {
    sandbox.faults.timeoutAfter = { times: 1, route: 'POST /v1/refunds', reset: true }
    const intent = await payWith(stripe, 'pm_card_visa')
    const refusal = await refusalOf(stripe.refunds.create({ payment_intent: intent.id }))
    assert.ok(refusal instanceof Stripe.errors.StripeConnectionError)
    assert.equal(sandbox.state.refunds.size, 1)
  })

  it('500 before and after the execution, and 429, for one route', async () => {
    sandbox.faults.status500 = { times: 1 }
    assert.equal((await refusalOf(stripe.paymentIntents.create(params))).statusCode, 500)
    assert.equal(sandbox.state.paymentIntents.size, 0)
    sandbox.faults.status500After = { times: 1 }
    assert.equal((await refusalOf(stripe.paymentIntents.create(params))).statusCode, 500)
    assert.equal(sandbox.state.paymentIntents.size, 1)
    sandbox.faults.status429 = { times: 1, route: 'GET /v1/payment_intents/:id' }
    const [id = ''] = sandbox.state.paymentIntents.keys()
    const refusal = await refusalOf(stripe.paymentIntents.retrieve(id))
    assert.ok(refusal instanceof Stripe.errors.StripeRateLimitError)
    await stripe.paymentIntents.retrieve(id)
  })

  it('the control API sets, returns, refuses and clears switches', async () => {
    const call = async (method: string, path: string, body?: object) => {
      const response = await fetch(`${sandbox.url}/sandbox${path}`, {
        method,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
    const set = { delayMs: 5, timeoutAfter: 2, webhook: { duplicate: 1, drop: true } }
    const shown = await call('POST', '/faults', set)
    assert.deepEqual(shown.body['timeoutAfter'], { times: 2 })
    assert.equal(sandbox.faults.webhook.drop, true)
    assert.equal((await call('POST', '/faults', { dealyMs: 5 })).status, 400)
    assert.equal((await call('POST', '/faults', { webhook: { drop: 'x' } })).status, 400)
    await call('DELETE', '/faults')
    assert.equal(sandbox.faults.delayMs, 0)
    const intent = await stripe.paymentIntents.create(params)
    const card = { card: '4000 0027 6000 3184', authentication: 'succeeded' }
    const paid = await call('POST', `/payment_intents/${intent.id}/complete`, card)
    assert.equal(paid.body['status'], 'succeeded')
    const charge = String(paid.body['latest_charge'])
    const dispute = await call('POST', `/charges/${charge}/dispute`, { inquiry: true })
    assert.equal(dispute.body['status'], 'warning_needs_response')
    const path = `/disputes/${String(dispute.body['id'])}/resolve`
    assert.equal((await call('POST', path, { outcome: 'won' })).status, 400)
    const closed = await call('POST', path, { outcome: 'warning_closed' })
    assert.equal(closed.body['status'], 'warning_closed')
    assert.equal((await call('POST', '/payment_intents/pi_no/end-processing')).status, 404)
    await call('POST', '/reset')
    assert.equal(sandbox.state.paymentIntents.size, 0)
  })
})

describe('webhooks', () => {
  afterEach(endAllDeliveries)

  it('have a signature that the SDK accepts, and contain the request', async () => {
    const options = { idempotencyKey: 'mine' }
    const intent = await stripe.paymentIntents.create(params, options)
    await sandbox.webhooksIdle()
    const [event] = receiver.received.map(open)
    assert.equal(event?.type, 'payment_intent.created')
    assert.equal(event?.request?.idempotency_key, 'mine')
    assert.ok(event?.type === 'payment_intent.created' && event.data.object.id === intent.id)
    const stored = await stripe.events.retrieve(event?.id ?? '')
    assert.equal(stored.pending_webhooks, 0)
  })

  it('are sent again after growing delays, each with a new signature, until the response is 2xx', async () => {
    receiver.status = 503
    await stripe.paymentIntents.create(params)
    await until(() => receiver.received.length === 3)
    receiver.status = 200
    await until(() => receiver.received.length === 4)
    await sandbox.webhooksIdle()
    // A busy machine delivers later than planned, never earlier. A timer may fire a millisecond early.
    for (const [index, delayMs] of RETRY_DELAYS_MS.entries()) {
      const [before, after] = receiver.received.slice(index, index + 2).map(({ at }) => at)
      assert.ok((after ?? 0) - (before ?? 0) >= delayMs - 2, `retry ${index + 1}`)
    }
    assert.equal(new Set(receiver.received.map((one) => open(one).id)).size, 1)
    // A signature contains the time in seconds, and the last delivery is more than a second after the first.
    const signatures = receiver.received.map(({ signature }) => signature)
    assert.notEqual(signatures.at(-1), signatures[0])
    assert.deepEqual(
      sandbox.state.deliveries.map(({ outcome }) => outcome),
      ['refused', 'refused', 'refused', 'delivered'],
    )
  })

  it('drop: the event is not sent, is in the list of events, and can be sent again', async () => {
    sandbox.faults.webhook.drop = 1
    await stripe.paymentIntents.create(params)
    await sandbox.webhooksIdle()
    assert.equal(receiver.received.length, 0)
    const { data } = await stripe.events.list({ types: ['payment_intent.created'] })
    assert.equal(data.length, 1)
    sandbox.resendEvent(data[0]?.id ?? '')
    await sandbox.webhooksIdle()
    assert.equal(receiver.received.length, 1)
  })

  it('duplicate: the same event is sent n more times', async () => {
    sandbox.faults.webhook.duplicate = 9
    await stripe.paymentIntents.create(params)
    await sandbox.webhooksIdle()
    assert.equal(receiver.received.length, 10)
    assert.equal(new Set(receiver.received.map((one) => open(one).id)).size, 1)
  })

  it('reorder: events are held back, then sent in a different order', async () => {
    sandbox.faults.webhook.reorder = 3
    const intent = await stripe.paymentIntents.create(params)
    await sandbox.webhooksIdle()
    assert.equal(receiver.received.length, 0)
    sandbox.complete(intent.id)
    await sandbox.webhooksIdle()
    const types = receiver.received.map((one) => open(one).type)
    assert.equal(types.length, 3)
    assert.notDeepEqual(types, [
      'payment_intent.created',
      'charge.succeeded',
      'payment_intent.succeeded',
    ])
    await stripe.paymentIntents.create(params)
    sandbox.flushWebhooks()
    await sandbox.webhooksIdle()
    assert.equal(receiver.received.length, 4)
  })

  it('delayMs, badSignature and timestampShiftSeconds', async () => {
    sandbox.faults.webhook.delayMs = 80
    const before = Date.now()
    await stripe.paymentIntents.create(params)
    await sandbox.webhooksIdle()
    assert.ok((receiver.received[0]?.at ?? 0) - before >= 75)
    sandbox.faults.webhook.delayMs = 0
    sandbox.faults.webhook.badSignature = true
    await stripe.paymentIntents.create(params)
    await sandbox.webhooksIdle()
    const verify = (index: number) => () => open(receiver.received[index] as Received)
    assert.throws(verify(1), Stripe.errors.StripeSignatureVerificationError)
    sandbox.faults.webhook.badSignature = false
    sandbox.faults.webhook.timestampShiftSeconds = -600
    await stripe.paymentIntents.create(params)
    await sandbox.webhooksIdle()
    assert.throws(verify(2), /outside the tolerance zone/)
  })

  it('events are listed by type and time; endpoints receive only the types they subscribe to', async () => {
    const other = await stripe.webhookEndpoints.create({
      url: `${receiver.url}/other`,
      enabled_events: ['payment_intent.succeeded'],
    })
    assert.match(other.secret ?? '', /^whsec_/)
    const intent = await payWith(stripe, 'pm_card_visa')
    await sandbox.webhooksIdle()
    assert.equal(receiver.received.length, 4)
    assert.equal((await stripe.webhookEndpoints.list()).data.length, 2)
    await stripe.webhookEndpoints.del(other.id)
    const { data } = await stripe.events.list({
      type: 'charge.*',
      created: { gte: intent.created },
    })
    assert.deepEqual(
      data.map(({ type }) => type),
      ['charge.succeeded'],
    )
  })
})
