import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { Stripe } from 'stripe'
import { checkedFetch, payWith, refusalOf, startWithSdk } from './test-harness.ts'

const { sandbox, stripe } = await startWithSdk()
const params = { amount: 500, currency: 'usd' }

function post(path: string, body: Record<string, string>, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${sandbox.secretKey}`
  return checkedFetch(`${sandbox.url}${path}`, {
    method: 'POST',
    headers: { authorization, ...headers },
    body: new URLSearchParams(body),
  })
}

describe('idempotency keys', () => {
  afterEach(() => sandbox.reset())

  it('50 equal simultaneous calls create one intent', async () => {
    const calls = Array.from({ length: 50 }, () =>
      stripe.paymentIntents.create(params, { idempotencyKey: 'same' }),
    )
    const ids = new Set((await Promise.all(calls)).map(({ id }) => id))
    assert.equal(ids.size, 1)
    assert.equal(sandbox.state.paymentIntents.size, 1)
  })

  it('50 equal calls while the first is slow create one intent; the others get 409', async () => {
    sandbox.faults.delayMs = 1_500
    const calls = Array.from({ length: 50 }, () =>
      stripe.paymentIntents.create(params, { idempotencyKey: 'slow' }),
    )
    const results = await Promise.allSettled(calls)
    const refused = results.filter(({ status }) => status === 'rejected')
    assert.equal(results.length - refused.length, 1)
    for (const { reason } of refused as PromiseRejectedResult[]) {
      const { statusCode, code } = reason as Stripe.errors.StripeError
      assert.deepEqual([statusCode, code], [409, 'idempotency_key_in_use'])
    }
    assert.equal(sandbox.state.paymentIntents.size, 1)
  })

  it('the SDK retries after a 409 and succeeds', async () => {
    sandbox.faults.delayMs = 60
    const retrying = new Stripe(sandbox.secretKey, {
      ...sandbox.sdkOptions,
      maxNetworkRetries: 4,
    })
    const calls = [1, 2, 3].map(() =>
      retrying.paymentIntents.create(params, { idempotencyKey: 'retry' }),
    )
    const ids = new Set((await Promise.all(calls)).map(({ id }) => id))
    assert.equal(ids.size, 1)
  })

  it('a repeat is marked and contains the id of the first request', async () => {
    const body = { amount: '500', currency: 'usd' }
    const first = await post('/v1/payment_intents', body, { 'idempotency-key': 'k' })
    const second = await post('/v1/payment_intents', body, { 'idempotency-key': 'k' })
    assert.equal(first.headers.get('idempotent-replayed'), null)
    assert.equal(second.headers.get('idempotent-replayed'), 'true')
    assert.equal(second.headers.get('original-request'), first.headers.get('request-id'))
    assert.equal(await second.text(), await first.text())
  })

  it('a repeat gets the same 402; nothing is charged again', async () => {
    const body = {
      amount: '500',
      currency: 'usd',
      confirm: 'true',
      payment_method: 'pm_card_chargeDeclined',
      'payment_method_types[]': 'card',
    }
    const first = await post('/v1/payment_intents', body, { 'idempotency-key': 'd' })
    const second = await post('/v1/payment_intents', body, { 'idempotency-key': 'd' })
    assert.deepEqual([first.status, second.status], [402, 402])
    assert.equal(await second.text(), await first.text())
    assert.equal(sandbox.state.charges.size, 1)
  })

  it('400 idempotency_error for different parameters; a failed validation is not stored', async () => {
    await stripe.paymentIntents.create(params, { idempotencyKey: 'k' })
    const other = { ...params, amount: 600 }
    const refusal = await refusalOf(stripe.paymentIntents.create(other, { idempotencyKey: 'k' }))
    assert.ok(refusal instanceof Stripe.errors.StripeIdempotencyError)
    assert.equal(refusal.statusCode, 400)
    const small = { ...params, amount: 1 }
    await refusalOf(stripe.paymentIntents.create(small, { idempotencyKey: 'v' }))
    await stripe.paymentIntents.create(params, { idempotencyKey: 'v' })
  })
})

describe('keys', () => {
  afterEach(() => sandbox.reset())

  it('401 without a key, with a wrong key and with a live key', async () => {
    const bare = await checkedFetch(`${sandbox.url}/v1/payment_intents`)
    assert.equal(bare.status, 401)
    for (const key of ['sk_test_wrong', 'sk_live_sandbox']) {
      const other = new Stripe(key, sandbox.sdkOptions)
      const refusal = await refusalOf(other.paymentIntents.list())
      assert.ok(refusal instanceof Stripe.errors.StripeAuthenticationError)
    }
  })

  it('a publishable key sees only the intent of its client secret, with fewer fields', async () => {
    const intent = await stripe.paymentIntents.create({ ...params, metadata: { secret: 'x' } })
    const base = `${sandbox.url}/v1/payment_intents`
    const authorization = `Bearer ${sandbox.publishableKey}`
    const init = { headers: { authorization } }
    const get = (query: string) => checkedFetch(`${base}${query}`, init, 'page')
    assert.equal((await get('')).status, 401)
    assert.equal((await get(`/${intent.id}`)).status, 400)
    const wrong = await get(`/${intent.id}?client_secret=${intent.id}_secret_x`)
    const unknown = await get(`/pi_unknown?client_secret=x`)
    assert.deepEqual([wrong.status, unknown.status], [404, 404])
    const seen = await get(`/${intent.id}?client_secret=${intent.client_secret}`)
    assert.equal(seen.headers.get('access-control-allow-origin'), '*')
    const body = (await seen.json()) as Record<string, unknown>
    assert.equal(body['id'], intent.id)
    for (const hidden of ['metadata', 'customer', 'latest_charge']) assert.ok(!(hidden in body))
    const expanded = await get(
      `/${intent.id}?client_secret=${intent.client_secret}&expand[]=latest_charge`,
    )
    assert.equal(expanded.status, 401)
  })

  it('a declined card reveals no more to a publishable key than the intent does', async () => {
    const intent = await stripe.paymentIntents.create({ ...params, metadata: { secret: 'x' } })
    const confirm = `${sandbox.url}/v1/payment_intents/${intent.id}/confirm`
    const init = {
      method: 'POST',
      body: new URLSearchParams({
        key: sandbox.publishableKey,
        client_secret: intent.client_secret ?? '',
        payment_method: 'pm_card_chargeDeclined',
        use_stripe_sdk: 'true',
      }),
    }
    const response = await checkedFetch(confirm, init, 'page')
    assert.equal(response.status, 402)
    const text = await response.text()
    assert.match(text, /"decline_code": "generic_decline"/)
    assert.doesNotMatch(text, /metadata"[^}]*secret|latest_charge/)
  })

  it('responds to a preflight, an unknown URL and an unknown parameter like Stripe', async () => {
    const preflight = await fetch(`${sandbox.url}/v1/payment_intents`, { method: 'OPTIONS' })
    assert.equal(preflight.status, 204)
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /authorization/)
    const nowhere = await checkedFetch(`${sandbox.url}/v1/nowhere`)
    assert.equal(nowhere.status, 404)
    assert.match(await nowhere.text(), /Unrecognized request URL \(GET: \/v1\/nowhere\)/)
    const paid = await payWith(stripe, 'pm_card_visa')
    const { requestId } = paid.lastResponse
    assert.match(requestId, /^req_/)
  })
})
