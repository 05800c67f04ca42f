import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findTypeFaults, sampleOf, type Sample } from './check-types.ts'
import { OPERATIONS } from './operations.ts'
import { chargeIdOf, payWith, startWithSdk } from './test-harness.ts'

const { sandbox, stripe } = await startWithSdk()

/** Everything that can stand in a path, made by real payments. */
async function prepareIds(): Promise<Record<string, string>> {
  const paid = await payWith(stripe, 'pm_card_visa')
  const refund = await stripe.refunds.create({ payment_intent: paid.id, amount: 100 })
  const customer = await stripe.customers.create({ name: 'A customer' })
  const disputed = await payWith(stripe, 'pm_card_createDisputeInquiry')
  const { data: disputes } = await stripe.disputes.list({ payment_intent: disputed.id })
  const { data: balance } = await stripe.balanceTransactions.list()
  const open = await stripe.paymentIntents.create({ amount: 900, currency: 'usd' })
  const method = await stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } })
  await stripe.paymentMethods.attach(method.id, { customer: customer.id })
  const endpoint = await stripe.webhookEndpoints.create({
    url: 'http://127.0.0.1:9/nobody',
    enabled_events: ['charge.captured'],
  })
  return {
    payment_intents: open.id,
    charges: chargeIdOf(paid),
    balance_transactions: balance[0]?.id ?? '',
    refunds: refund.id,
    disputes: disputes[0]?.id ?? '',
    events: [...sandbox.state.events.keys()][0] ?? '',
    customers: customer.id,
    payment_methods: method.id,
    webhook_endpoints: endpoint.id,
  }
}

function bodyFor(route: string, ids: Record<string, string>): Record<string, string> {
  const bodies: Record<string, Record<string, string>> = {
    'POST /v1/payment_intents': { amount: '700', currency: 'eur' },
    'POST /v1/payment_intents/:id/confirm': {
      payment_method: 'pm_card_authenticationRequired',
      return_url: 'https://shop.example/done',
    },
    'POST /v1/payment_methods': { type: 'card', 'card[token]': 'tok_mastercard' },
    'POST /v1/payment_methods/:id/attach': { customer: ids['customers'] ?? '' },
    'POST /v1/refunds': { charge: ids['charges'] ?? '', amount: '100' },
    'POST /v1/webhook_endpoints': { url: 'https://shop.example', 'enabled_events[]': '*' },
  }
  return bodies[route] ?? {}
}

describe("the types of Stripe's SDK", () => {
  it('accept the response of every route, and what a missing id gets', async () => {
    const ids = await prepareIds()
    const headers = { authorization: `Bearer ${sandbox.secretKey}` }
    const samples: Sample[] = []
    for (const { route } of OPERATIONS) {
      const [method = '', path = ''] = route.split(' ')
      const kind = path.split('/')[2] ?? ''
      for (const id of path.includes(':id') ? ['missing', ids[kind] ?? ''] : ['']) {
        const body = method === 'POST' ? { body: new URLSearchParams(bodyFor(route, ids)) } : {}
        const url = `${sandbox.url}${path.replace(':id', id)}`
        const response = await fetch(url, { method, headers, ...body })
        const wanted = id === 'missing' ? [400, 404] : [200]
        assert(wanted.includes(response.status), `${route}: ${response.status}`)
        samples.push(sampleOf(route, response.status, await response.json()))
      }
    }
    assert.deepEqual(await findTypeFaults(samples), [])
  })

  it('accept every event and the object in it', async () => {
    await payWith(stripe, 'pm_card_refundFail').then(({ id }) =>
      stripe.refunds.create({ payment_intent: id }),
    )
    await payWith(stripe, 'pm_card_createDispute')
    const samples = [...sandbox.state.events.values()].map((event) => ({
      source: event.type,
      type: 'Event',
      body: event,
    }))
    assert.ok(samples.length > 15)
    assert.deepEqual(await findTypeFaults(samples), [])
  })

  it('refuse what is wrong: the check itself works', async () => {
    const intent = [...sandbox.state.paymentIntents.values()][0]
    const event = [...sandbox.state.events.values()][0]
    assert(intent && event)
    const { currency: _currency, ...incomplete } = intent
    const wrong: [string, unknown, RegExp][] = [
      ['PaymentIntent', { ...intent, amount: '5' }, /'string' is not assignable to type 'number'/],
      ['PaymentIntent', { ...intent, amount: null }, /'null' is not assignable to type 'number'/],
      ['PaymentIntent', { ...intent, status: 'paid' }, /'"paid"' is not assignable/],
      ['PaymentIntent', { ...intent, payed: true }, /"payed"' does not exist in type/],
      ['PagePaymentIntent', { ...intent, status: 'paid' }, /'"paid"' is not assignable/],
      ['PagePaymentIntent', incomplete, /'currency' is missing/],
      ['PaymentIntent', incomplete, /'currency' is missing/],
      ['Event', { ...event, data: { object: incomplete } }, /'currency' is missing|not assignable/],
      ['Refusal', { error: { message: 'no type' } }, /'type' is missing/],
      ['PaymentIntent[]', { object: 'list', data: [], url: '/' }, /'has_more' is missing/],
    ]
    const samples = wrong.map(([type, body], index) => ({ source: `${index}`, type, body }))
    const faults = await findTypeFaults([
      ...samples,
      { source: 'good', type: 'PaymentIntent', body: intent },
    ])
    for (const [index, [type, , message]] of wrong.entries()) {
      const own = faults.filter((fault) => fault.startsWith(`${index} (${type}): `))
      assert.match(own.join(), message)
    }
    assert(!faults.some((fault) => fault.startsWith('good')))
    assert.throws(() => sampleOf('GET /v1/unknown', 200, {}), /No type is known/)
  })
})
