import type { PaymentIntent, Stripe } from '@stripe/stripe-js'
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { topupEn } from './messages-en.ts'
import { explainDecline } from './explain.ts'
import type { Payment } from './address.ts'
import { followPayment, screenOf } from './follow.ts'
import type { Screen } from './screen.ts'

type Answer = { status: number; body: object }

const PAID = { status: 'succeeded' } as PaymentIntent
const WORKING = { status: 'processing' } as PaymentIntent
const DONE = { status: 200, body: { status: 'succeeded', balance: 57.4 } }
const OPEN = { status: 200, body: { status: 'processing', balance: 32.4 } }
const FROM_ADDRESS: Payment = { clientSecret: 'pi_1_secret_2', publishableKey: 'pk_test_1' }
const STARTED: Payment = {
  ...FROM_ADDRESS,
  amount: '25.00',
  owner: { firstName: 'Ada', lastName: 'Lovelace', maskedEmail: 'a…@example.com' },
}
const REFUSED = [401, 402, 404].map((status) => ({ status, body: { error: '' } }))

/** Follows a payment with these answers of the service and of the processor; the last one stays. */
async function follow(
  first: PaymentIntent,
  answers: Answer[],
  later: PaymentIntent[] = [first],
  payment: Payment = STARTED,
) {
  const shown: Screen[] = []
  mock.method(globalThis, 'fetch', async () => {
    const { status, body } = (answers.length > 1 ? answers.shift() : answers[0]) as Answer
    return Response.json(body, { status })
  })
  const stripe = {
    retrievePaymentIntent: async () => ({
      paymentIntent: later.length > 1 ? later.shift() : later[0],
    }),
  } as unknown as Stripe
  await followPayment(first, {
    stripe,
    payment,
    session: 'ws_1',
    texts: topupEn,
    show: (screen) => shown.push(screen),
    signal: new AbortController().signal,
  })
  return shown
}

describe('a payment that the processor calls paid', () => {
  beforeEach(() => {
    mock.method(globalThis, 'setTimeout', (run: () => void) => queueMicrotask(run))
  })
  afterEach(() => mock.restoreAll())

  it('ends with the new balance', async () => {
    assert.deepEqual(await follow(PAID, [DONE]), [{ name: 'done', balance: 57.4 }])
  })

  it('is never called failed, whatever our service answers', async () => {
    for (const answer of [...REFUSED, { status: 500, body: {} }, { status: 429, body: {} }]) {
      const shown = await follow(PAID, [answer])
      assert.deepEqual(
        new Set(shown.map(({ name }) => name)),
        new Set(['paid']),
        `${answer.status}`,
      )
    }
  })

  it('is asked about again until the wallet has it', async () => {
    const late = [{ status: 503, body: {} }, OPEN, DONE]
    const shown = await follow(PAID, late)
    assert.deepEqual(shown, [
      { name: 'paid' },
      { name: 'processing' },
      { name: 'done', balance: 57.4 },
    ])
  })
})

describe('a payment that the bank works on', () => {
  beforeEach(() => {
    mock.method(globalThis, 'setTimeout', (run: () => void) => queueMicrotask(run))
  })
  afterEach(() => mock.restoreAll())

  it('becomes paid without a session', async () => {
    const ended = [{ status: 401, body: {} }]
    const shown = await follow(WORKING, ended, [WORKING, PAID])
    assert.deepEqual(
      shown.map(({ name }) => name),
      ['processing', 'processing', 'paid'],
    )
  })

  it('goes back to the card when the bank says no', async () => {
    const error = { type: 'card_error', decline_code: 'insufficient_funds' }
    const no = { status: 'requires_payment_method', last_payment_error: error } as PaymentIntent
    const shown = await follow(WORKING, [OPEN], [no])
    assert.deepEqual(shown.at(-1), { name: 'card', fault: topupEn.declined.insufficient_funds })
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
    mock.method(globalThis, 'setTimeout', (run: () => void) => queueMicrotask(run))
    const no = { status: 'requires_payment_method', last_payment_error: error } as PaymentIntent
    const shown = await follow(WORKING, [OPEN], [no], FROM_ADDRESS)
    assert.deepEqual(shown.at(-1), { name: 'unpaid', status: 'failed' })
    mock.restoreAll()
  })
})

describe('a decline', () => {
  const explain = (decline_code: string, code = 'card_declined', message = 'Their words.') =>
    explainDecline({ type: 'card_error', code, decline_code, message }, topupEn)

  it('is put into plain words', () => {
    assert.equal(explain('insufficient_funds'), topupEn.declined.insufficient_funds)
    assert.equal(explain('', 'expired_card'), topupEn.declined.expired_card)
    assert.equal(explain('', 'incorrect_cvc'), topupEn.declined.incorrect_cvc)
    assert.equal(explain('card_not_supported'), 'Their words.')
  })

  it('does not tell that a card is reported as lost or stolen', () => {
    for (const reason of ['lost_card', 'stolen_card', 'pickup_card', 'fraudulent'])
      assert.equal(explain(reason), topupEn.declined.generic)
  })
})
