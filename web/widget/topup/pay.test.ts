import type { PaymentIntent, Stripe, StripeElements } from '@stripe/stripe-js'
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  DECLINED,
  inStatus,
  intentIn,
  LOST,
  scriptStripe,
  STARTED,
  type Outcome,
} from '../../test/script-responses.ts'
import { topupEn } from './messages-en.ts'
import { confirmWithBank, payByCard } from './pay.ts'

const { declined } = topupEn
const UNPAID = inStatus('requires_payment_method')

before(() => {
  Object.assign(globalThis, { location: { origin: 'https://wallet.example' } })
})

/** Pays once with these results of the processor. */
async function pay(confirm: Outcome, ...retrieve: Outcome[]) {
  const { stripe, calls, names } = scriptStripe({ confirm: [confirm], retrieve })
  const finished: string[] = []
  const flow = {
    finish: async (by: Stripe, { status }: PaymentIntent) => {
      assert.equal(by, stripe)
      finished.push(status)
    },
  }
  const elements = { name: 'the card form' } as unknown as StripeElements
  const shared = {
    stripe,
    elements,
    flow,
    messages: topupEn,
    path: '/widget/topup?clientId=app%201',
  }
  const error = await payByCard({ ...shared, payment: STARTED })
  return { error, finished, calls, names: names() }
}

describe('paying by card', () => {
  it('submits the form once, with the return URL, and finishes the payment', async () => {
    const { error, finished, calls } = await pay(inStatus('succeeded'))
    assert.equal(error, '')
    assert.deepEqual(finished, ['succeeded'])
    assert.deepEqual(calls, [
      {
        name: 'confirm',
        input: {
          elements: { name: 'the card form' },
          redirect: 'if_required',
          confirmParams: { return_url: 'https://wallet.example/widget/topup?clientId=app%201' },
        },
      },
    ])
  })

  it('leaves errors of the form to the form', async () => {
    const { error, finished, names } = await pay({ error: { type: 'validation_error' } })
    assert.deepEqual([error, finished, names], ['', [], ['confirm']])
  })

  it('explains a decline without another request', async () => {
    const decline = { type: 'card_error', decline_code: 'insufficient_funds' } as const
    const { error, finished, names } = await pay({ error: decline })
    assert.deepEqual([error, finished, names], [declined.insufficient_funds, [], ['confirm']])
  })
})

describe('paying by card when the response is lost', () => {
  for (const confirm of [LOST, 'rejected'] as const) {
    const what = confirm === 'rejected' ? 'a rejected call' : 'a lost response'
    it(`${what}: a payment that went through is finished`, async () => {
      for (const status of ['succeeded', 'processing', 'requires_action', 'canceled']) {
        const { error, finished, calls } = await pay(confirm, inStatus(status))
        assert.deepEqual([error, finished], ['', [status]])
        assert.deepEqual(calls[1], { name: 'retrieve', input: STARTED.clientSecret })
      }
    })

    it(`${what}: the outcome stays unknown when the status is lost too`, async () => {
      for (const retrieve of [LOST, 'rejected'] as const) {
        const { error, finished, names } = await pay(confirm, retrieve)
        assert.equal(error, declined.unanswered)
        assert.deepEqual([finished, names], [[], ['confirm', 'retrieve']])
      }
    })

    it(`${what}: the outcome stays unknown while the payment is unpaid, because the charge can be late`, async () => {
      for (const status of ['requires_payment_method', 'requires_confirmation']) {
        assert.equal((await pay(confirm, inStatus(status))).error, declined.unanswered)
      }
      assert.equal((await pay(confirm, { paymentIntent: DECLINED })).error, declined.unanswered)
    })
  }

  it('an error of the processor counts as a lost response', async () => {
    const { error } = await pay({ error: { type: 'api_error' } }, UNPAID)
    assert.equal(error, declined.unanswered)
  })

  it('a refusal counts as unpaid only if the processor confirms it', async () => {
    const refusal: Outcome = { error: { type: 'invalid_request_error', code: 'amount_too_small' } }
    assert.equal((await pay(refusal, UNPAID)).error, declined.unexpected)
    assert.equal((await pay(refusal, LOST)).error, declined.unanswered)
  })

  it('a second confirmation of a paid payment shows that it is paid', async () => {
    const refusal = {
      type: 'invalid_request_error',
      code: 'payment_intent_unexpected_state',
    } as const
    const { error, finished } = await pay({ error: refusal }, inStatus('succeeded'))
    assert.deepEqual([error, finished], ['', ['succeeded']])
  })
})

describe('the confirmation with the bank', () => {
  const FAILED: Outcome = { error: { type: 'invalid_request_error' } }
  const RESULTS = { 'a result': inStatus('succeeded'), 'an error': FAILED, 'no response': LOST }

  for (const [what, action] of Object.entries({ ...RESULTS, 'a rejection': 'rejected' as const })) {
    it(`reads the status after ${what}, because the card may have been charged`, async () => {
      const { stripe, calls } = scriptStripe({ action: [action] })
      let resumed = 0
      await confirmWithBank(stripe, STARTED, {
        resume: async () => {
          assert.equal(calls.length, 1)
          resumed += 1
        },
      })
      assert.equal(resumed, 1)
      assert.deepEqual(calls[0]?.input, { clientSecret: STARTED.clientSecret })
    })
  }

  it('does not read the status before the bank has finished', async () => {
    const { promise, resolve } = Promise.withResolvers<never>()
    const { stripe } = scriptStripe({ action: [promise] })
    let isResumed = false
    const confirmed = confirmWithBank(stripe, STARTED, {
      resume: async () => {
        isResumed = true
      },
    })
    await new Promise((next) => setImmediate(next))
    assert.equal(isResumed, false)
    resolve({ paymentIntent: intentIn('succeeded') } as never)
    await confirmed
    assert.equal(isResumed, true)
  })
})
