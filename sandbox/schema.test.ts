import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findSchemaFaults, hasSchemas, validate } from './check-schema.ts'
import { OPERATIONS } from './operations.ts'
import { chargeIdOf, payWith, startWithSdk } from './test-harness.ts'

const skip = hasSchemas ? false : "Stripe's OpenAPI schemas are not beside the repository"
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

describe("Stripe's OpenAPI schemas", { skip }, () => {
  it('accept the answer of every route, and what a missing id gets', async () => {
    const ids = await prepareIds()
    const headers = { authorization: `Bearer ${sandbox.secretKey}` }
    const faults: string[] = []
    for (const { route } of OPERATIONS) {
      const [method = '', path = ''] = route.split(' ')
      const kind = path.split('/')[2] ?? ''
      for (const id of path.includes(':id') ? ['missing', ids[kind] ?? ''] : ['']) {
        const body = method === 'POST' ? { body: new URLSearchParams(bodyFor(route, ids)) } : {}
        const url = `${sandbox.url}${path.replace(':id', id)}`
        const response = await fetch(url, { method, headers, ...body })
        const wanted = id === 'missing' ? [400, 404] : [200]
        if (!wanted.includes(response.status)) faults.push(`${route}: ${response.status}`)
        const answer: unknown = await response.json()
        faults.push(...findSchemaFaults(route, response.status, answer))
      }
    }
    assert.deepEqual(faults, [])
  })

  it('accept every event and the object in it', async () => {
    await payWith(stripe, 'pm_card_refundFail').then(({ id }) =>
      stripe.refunds.create({ payment_intent: id }),
    )
    await payWith(stripe, 'pm_card_createDispute')
    const faults = [...sandbox.state.events.values()].flatMap((event) => {
      const object = event.data.object as unknown as { object: string }
      return [...validate('event', event), ...validate(object.object, object)]
    })
    assert.ok(sandbox.state.events.size > 15)
    assert.deepEqual(faults, [])
  })

  it('refuse what is wrong: the check itself works', () => {
    const intent = [...sandbox.state.paymentIntents.values()][0]
    assert.deepEqual(validate('payment_intent', intent), [])
    assert.notDeepEqual(validate('payment_intent', { ...intent, amount: '5' }), [])
    assert.notDeepEqual(validate('payment_intent', { ...intent, status: 'paid' }), [])
    const { currency: _currency, ...without } = intent ?? { currency: '' }
    assert.notDeepEqual(validate('payment_intent', without), [])
    assert.notDeepEqual(validate('error', { error: { message: 'no type' } }), [])
  })
})
