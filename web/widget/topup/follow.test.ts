import type { PaymentIntent } from '@stripe/stripe-js'
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import {
  DECLINED,
  FROM_ADDRESS,
  inStatus,
  intentIn,
  LOST,
  scriptService,
  scriptStripe,
  skipDelays,
  STARTED,
  type Outcome,
  type ServiceResponse,
} from '../../test/script-responses.ts'
import type { Payment } from './address.ts'
import { callWithSession, type TopupCalls } from './calls.ts'
import { explainDecline } from './explain.ts'
import { followPayment, screenOf } from './follow.ts'
import { topupEn } from './messages-en.ts'
import type { Screen } from './screen.ts'

const PAID = intentIn('succeeded')
const WORKING = intentIn('processing')
const DONE = { status: 200, body: { status: 'succeeded', balance: 57.4 } }
const OPEN = { status: 200, body: { status: 'processing', balance: 32.4 } }
const DELAYS_MS = [1500, 3000, 6000, 12_000, 24_000, 40_000]

interface Case {
  first: PaymentIntent
  responses: ServiceResponse[]
  later?: Outcome[]
  payment?: Payment
  calls?: TopupCalls | undefined
  onShow?: (leaving: AbortController) => void
}

let delaysMs: number[] = []
beforeEach(() => {
  delaysMs = skipDelays()
})
afterEach(() => mock.restoreAll())

async function follow({ first, responses, later = [], payment = STARTED, ...rest }: Case) {
  const shown: Screen[] = []
  const requests = scriptService(...responses)
  const { stripe, calls } = scriptStripe({ retrieve: later })
  const leaving = new AbortController()
  await followPayment(first, {
    stripe,
    payment,
    calls: 'calls' in rest ? rest.calls : callWithSession('ws_1'),
    messages: topupEn,
    show: (screen) => {
      shown.push(screen)
      rest.onShow?.(leaving)
    },
    signal: leaving.signal,
  })
  return { shown, names: shown.map(({ name }) => name), requests, calls }
}

describe('a payment that the processor reports as paid', () => {
  it('ends with the new balance', async () => {
    const { shown, requests, calls } = await follow({ first: PAID, responses: [DONE] })
    assert.deepEqual(shown, [{ name: 'done', balance: 57.4 }])
    assert.deepEqual(requests, [
      {
        url: '/api/widget/topup/confirm?session=ws_1',
        body: { paymentIntentId: 'pi_1' },
      },
    ])
    assert.deepEqual([calls, delaysMs], [[], []])
  })

  it('is never shown as failed, whatever the service returns', async () => {
    for (const status of [400, 401, 402, 403, 404, 428, 429, 430, 500, 503]) {
      const { names } = await follow({ first: PAID, responses: [{ status }] })
      assert.deepEqual(new Set(names), new Set(['paid']), `${status}`)
    }
  })

  it('is polled until it is credited to the wallet', async () => {
    const responses = [{ status: 503 }, OPEN, DONE]
    const { shown, calls } = await follow({ first: PAID, responses })
    assert.deepEqual(shown, [
      { name: 'paid' },
      { name: 'processing' },
      { name: 'done', balance: 57.4 },
    ])
    assert.deepEqual(calls, [])
  })

  it('is polled again after a rate limit, an error and a missing response', async () => {
    for (const response of [{ status: 429 }, { status: 500 }, 'offline'] as const) {
      const { shown } = await follow({ first: PAID, responses: [response, DONE] })
      assert.deepEqual(shown, [{ name: 'paid' }, { name: 'done', balance: 57.4 }])
    }
  })

  it('is not polled again after a refusal, because the session has ended', async () => {
    for (const status of [401, 402, 404, 428]) {
      const { names, requests } = await follow({ first: PAID, responses: [{ status }, DONE] })
      assert.deepEqual([names, requests.length], [['paid'], 1], `${status}`)
    }
  })

  it('is shown as paid without a session, without a request', async () => {
    const { names, requests } = await follow({ first: PAID, responses: [], calls: undefined })
    assert.deepEqual([names, requests, delaysMs], [['paid'], [], []])
  })

  it('is polled for a minute and a half, at growing intervals', async () => {
    const { names, requests } = await follow({ first: PAID, responses: [{ status: 503 }] })
    assert.deepEqual(delaysMs, DELAYS_MS)
    assert.equal(requests.length, DELAYS_MS.length + 1)
    assert.deepEqual(names, Array(7).fill('paid'))
  })
})

describe('a payment that the bank is processing', () => {
  it('becomes paid without a session', async () => {
    const later = [inStatus('processing'), inStatus('succeeded')]
    const { names, requests } = await follow({
      first: WORKING,
      responses: [{ status: 401 }],
      later,
    })
    assert.deepEqual(names, ['processing', 'processing', 'paid'])
    assert.equal(requests.length, 1)
  })

  it('returns to the card form when the bank declines', async () => {
    const later = [{ paymentIntent: DECLINED }]
    const { shown, calls } = await follow({ first: WORKING, responses: [OPEN], later })
    assert.deepEqual(shown, [
      { name: 'processing' },
      { name: 'card', error: topupEn.declined.insufficient_funds },
    ])
    assert.deepEqual(calls, [{ name: 'retrieve', input: STARTED.clientSecret }])
  })

  it('stays in processing while the processor does not respond', async () => {
    for (const lost of [LOST, 'rejected'] as const) {
      const later = [lost, lost, inStatus('succeeded')]
      const { names } = await follow({ first: WORKING, responses: [OPEN, OPEN, OPEN, DONE], later })
      assert.deepEqual(names, ['processing', 'processing', 'processing', 'done'])
    }
  })

  it('is done when the service credits it before the processor reports it', async () => {
    const { names, calls } = await follow({ first: WORKING, responses: [DONE] })
    assert.deepEqual([names, calls], [['done'], []])
  })

  it('stays paid when a late response still reports it as processing', async () => {
    const later = [inStatus('succeeded'), inStatus('processing')]
    const responses = [OPEN, { status: 503 }, { status: 503 }, DONE]
    const { names, calls } = await follow({ first: WORKING, responses, later })
    assert.deepEqual(names, ['processing', 'paid', 'paid', 'done'])
    assert.equal(calls.length, 1)
  })
})

describe('a page that the user leaves', () => {
  it('shows nothing more and sends no more requests', async () => {
    const { names, requests } = await follow({
      first: WORKING,
      responses: [OPEN],
      later: [inStatus('succeeded')],
      onShow: (leaving) => leaving.abort(),
    })
    assert.deepEqual([names, requests.length], [['processing'], 1])
  })

  it('ignores a response that arrives afterwards', async () => {
    const shown: Screen[] = []
    const leaving = new AbortController()
    mock.method(globalThis, 'fetch', async () => {
      leaving.abort()
      return Response.json(DONE.body)
    })
    await followPayment(PAID, {
      stripe: scriptStripe({}).stripe,
      payment: STARTED,
      calls: callWithSession('ws_1'),
      messages: topupEn,
      show: (screen) => shown.push(screen),
      signal: leaving.signal,
    })
    assert.deepEqual(shown, [])
  })
})

describe('a payment that the page did not start', () => {
  const error = { type: 'card_error' }
  const CASES = [
    ['requires_payment_method', undefined, 'open'],
    ['requires_payment_method', error, 'failed'],
    ['requires_confirmation', undefined, 'open'],
    ['requires_action', undefined, 'open'],
    ['requires_action', error, 'open'],
    ['requires_capture', undefined, 'open'],
    ['canceled', undefined, 'canceled'],
  ] as const

  for (const [status, lastError, shown] of CASES) {
    it(`is shown as ${shown} when it is in ${status}${lastError ? ' after a decline' : ''}`, () => {
      const intent = { status, last_payment_error: lastError ?? null } as PaymentIntent
      const screen = screenOf(intent, FROM_ADDRESS, topupEn)
      assert.deepEqual(screen, { name: 'unpaid', status: shown })
    })
  }

  it('stays without a card form when the bank declines it later', async () => {
    const later = [{ paymentIntent: DECLINED }]
    const payment = FROM_ADDRESS
    const { shown } = await follow({ first: WORKING, responses: [OPEN], later, payment })
    assert.deepEqual(shown.at(-1), { name: 'unpaid', status: 'failed' })
  })
})

describe('a decline', () => {
  const explain = (decline_code: string, code = 'card_declined', message = 'Their words.') =>
    explainDecline({ type: 'card_error', code, decline_code, message }, topupEn)

  it('is explained in plain words', () => {
    assert.equal(explain('insufficient_funds'), topupEn.declined.insufficient_funds)
    assert.equal(explain('', 'expired_card'), topupEn.declined.expired_card)
    assert.equal(explain('', 'incorrect_cvc'), topupEn.declined.incorrect_cvc)
    assert.equal(explain('card_not_supported'), 'Their words.')
  })

  it('does not reveal that a card is reported as lost or stolen', () => {
    for (const reason of ['lost_card', 'stolen_card', 'pickup_card', 'fraudulent'])
      assert.equal(explain(reason), topupEn.declined.generic)
  })
  it('has a general text if the processor gives no reason', () => {
    assert.equal(explain('', 'card_declined', ''), topupEn.declined.generic)
    assert.equal(explain('generic_decline'), topupEn.declined.generic)
    assert.equal(explain('processing_error'), topupEn.declined.processing_error)
    assert.equal(explainDecline({ type: 'card_error' }, topupEn), topupEn.declined.generic)
  })

  it('in the bank’s confirmation has its own text', () => {
    const code = 'payment_intent_authentication_failure'
    const error = { type: 'invalid_request_error', code, message: 'Their words.' } as const
    assert.equal(explainDecline(error, topupEn), topupEn.declined.authentication)
  })

  it('that is another error does not repeat the message of the processor', () => {
    const error = { type: 'api_error', code: 'x', message: 'Their words.' } as const
    assert.equal(explainDecline(error, topupEn), topupEn.declined.unexpected)
  })
})
