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
import { callWithSession } from './calls.ts'
import { topupEn } from './messages-en.ts'
import { firstScreen, resumePayment, finishPayment, type ResumeOptions } from './resume.ts'
import type { Screen } from './screen.ts'

const CREDITED: ServiceResponse = { status: 200, body: { status: 'succeeded', balance: 57.4 } }
const WALLET: ServiceResponse = { status: 200, body: { balance: 32.4 } }
const EXPIRED: ServiceResponse = { status: 401, body: { code: 'SESSION_EXPIRED' } }

function watch(payment: Payment, session: string | undefined = 'ws_1', exponent = 2) {
  const shown: Screen[] = []
  const kept: Payment[] = []
  const leaving = new AbortController()
  const options: ResumeOptions = {
    payment,
    calls: session ? callWithSession(session) : undefined,
    exponent,
    messages: topupEn,
    keep: (next) => kept.push(next),
    show: (screen) => shown.push(screen),
    signal: leaving.signal,
  }
  return { shown, kept, leaving, options }
}

async function resume(payment: Payment, outcome: Outcome, session?: string) {
  const { shown, kept, options } = watch(payment, session)
  const { stripe, calls } = scriptStripe({ retrieve: [outcome] })
  await resumePayment(stripe, options)
  return { shown, kept, calls }
}

beforeEach(() => {
  skipDelays()
})
afterEach(() => mock.restoreAll())

describe('the first screen', () => {
  const payment = FROM_ADDRESS

  it('depends on the processor, the payment and the session, in this order', () => {
    const script = 'https://js.example'
    const calls = callWithSession('ws_1')
    const ended: Screen = { name: 'ended', reason: 'no_session' }
    assert.deepEqual(firstScreen(payment, calls, ''), { name: 'unavailable' })
    assert.deepEqual(firstScreen(payment, calls, script), { name: 'loading' })
    assert.deepEqual(firstScreen(payment, undefined, script), { name: 'loading' })
    assert.deepEqual(firstScreen(undefined, calls, script), { name: 'amount' })
    assert.deepEqual(firstScreen(undefined, undefined, script), ended)
  })
})

describe('finishing a payment', () => {
  it('keeps the amount of the page, because the processor may use other units', async () => {
    for (const [currency, amount, minor, exponent] of [
      ['isk', '2500', 250_000, 0],
      ['ugx', '2500', 250_000, 0],
      ['usd', '25.00', 2_600, 2],
    ] as const) {
      scriptService(CREDITED)
      const { kept, options } = watch({ ...STARTED, amount }, 'ws_1', exponent)
      const { stripe } = scriptStripe({})
      await finishPayment(stripe, intentIn('succeeded', { currency, amount: minor }), options)
      assert.deepEqual(kept, [{ ...STARTED, amount }], currency)
      mock.restoreAll()
    }
  })

  it("uses the processor's amount, in its units, if the page does not know the amount", async () => {
    for (const [currency, minor, exponent, amount] of [
      ['isk', 250_000, 0, '2500.00'],
      ['ugx', 250_000, 0, '2500.00'],
      ['mga', 2_500, 2, '2500'],
      ['jpy', 2_500, 0, '2500'],
      ['usd', 2_500, 2, '25.00'],
      ['kwd', 2_500, 3, '2.500'],
    ] as const) {
      const { shown, kept, options } = watch(FROM_ADDRESS, undefined, exponent)
      const intent = intentIn('canceled', { currency, amount: minor })
      await finishPayment(scriptStripe({}).stripe, intent, options)
      assert.deepEqual(kept, [{ ...FROM_ADDRESS, amount }], currency)
      assert.deepEqual(shown, [{ name: 'unpaid', status: 'canceled' }])
    }
  })

  it('follows a paid payment until it is credited', async () => {
    const requests = scriptService({ status: 503 }, CREDITED)
    const { shown, options } = watch(STARTED)
    await finishPayment(scriptStripe({}).stripe, intentIn('succeeded'), options)
    assert.deepEqual(shown, [{ name: 'paid' }, { name: 'done', balance: 57.4 }])
    assert.deepEqual(requests[0], {
      url: '/api/widget/topup/confirm?session=ws_1',
      body: { paymentIntentId: 'pi_1' },
    })
  })

  it('twice shows the same result twice and starts no second payment', async () => {
    const done: Screen = { name: 'done', balance: 57.4 }
    const requests = scriptService(CREDITED)
    const { shown, options } = watch(STARTED)
    const { stripe, names } = scriptStripe({})
    await finishPayment(stripe, intentIn('succeeded'), options)
    await finishPayment(stripe, intentIn('succeeded'), options)
    assert.deepEqual(shown, [done, done])
    assert.deepEqual(names(), [])
    assert(requests.every(({ url }) => url.startsWith('/api/widget/topup/confirm?')))
  })
})

describe('resuming a payment that the page started', () => {
  it('shows an unpaid one again while the session is valid', async () => {
    const requests = scriptService(WALLET)
    const { shown } = await resume(STARTED, { paymentIntent: DECLINED })
    assert.deepEqual(shown, [{ name: 'card', error: topupEn.declined.insufficient_funds }])
    assert.deepEqual(
      requests.map(({ url }) => url),
      ['/api/widget/wallet?session=ws_1'],
    )
    const open = await resume(STARTED, inStatus('requires_payment_method'))
    assert.deepEqual(open.shown, [{ name: 'card', error: '' }])
    const challenged = await resume(STARTED, inStatus('requires_action'))
    assert.deepEqual(challenged.shown, [{ name: 'action' }])
    const canceled = await resume(STARTED, inStatus('canceled'))
    assert.deepEqual(canceled.shown, [{ name: 'amount', notice: topupEn.amount.canceled }])
  })

  it('shows no card form after the session has expired', async () => {
    const ended: Screen = { name: 'ended', reason: 'session_expired' }
    for (const status of ['requires_payment_method', 'requires_action', 'canceled']) {
      scriptService(EXPIRED)
      assert.deepEqual((await resume(STARTED, inStatus(status))).shown, [ended])
      mock.restoreAll()
    }
    const requests = scriptService(EXPIRED)
    const { shown, options } = watch(STARTED)
    const { stripe } = scriptStripe({ retrieve: [inStatus('requires_action')] })
    await resumePayment(stripe, { ...options, calls: undefined })
    assert.deepEqual([shown, requests], [[ended], []])
  })

  it('does not end the session after a missing response or another refusal', async () => {
    const others: ServiceResponse[] = ['offline', { status: 429 }, { status: 500 }, { status: 404 }]
    for (const response of others) {
      scriptService(response)
      const { shown } = await resume(STARTED, inStatus('requires_action'))
      assert.deepEqual(shown, [{ name: 'action' }], JSON.stringify(response))
      mock.restoreAll()
    }
  })

  it('shows that it is paid when the session expired in between', async () => {
    scriptService(EXPIRED)
    const { shown, kept } = await resume(STARTED, inStatus('succeeded'))
    assert.deepEqual(shown, [{ name: 'paid' }])
    assert.deepEqual(kept, [STARTED])
  })
})

describe('resuming a payment from the URL', () => {
  it('needs no session, and offers no way to pay it', async () => {
    const requests = scriptService(EXPIRED)
    const { shown } = await resume(FROM_ADDRESS, inStatus('requires_action'), '')
    assert.deepEqual(shown, [{ name: 'unpaid', status: 'open' }])
    assert.deepEqual(requests, [])
  })

  it('shows the same result after a second return from the bank', async () => {
    scriptService(CREDITED)
    for (const attempt of ['first', 'second']) {
      const { shown, calls } = await resume(FROM_ADDRESS, inStatus('succeeded'))
      assert.deepEqual(shown, [{ name: 'done', balance: 57.4 }], attempt)
      assert.deepEqual(calls, [{ name: 'retrieve', input: FROM_ADDRESS.clientSecret }])
    }
  })
})

describe('resuming when the processor does not respond', () => {
  it('shows that the status is unknown, neither paid nor declined', async () => {
    for (const payment of [STARTED, FROM_ADDRESS]) {
      for (const outcome of [LOST, 'rejected', { error: { type: 'api_error' } }] as const) {
        const { shown, kept } = await resume(payment, outcome)
        assert.deepEqual([shown, kept], [[{ name: 'unreachable' }], []])
      }
      const { shown, options } = watch(payment)
      await resumePayment(null, options)
      assert.deepEqual(shown, [{ name: 'unreachable' }])
    }
  })

  it('shows that the payment does not exist if the processor does not know it', async () => {
    const { shown } = await resume(STARTED, { error: { type: 'invalid_request_error' } })
    assert.deepEqual(shown, [{ name: 'notFound' }])
  })
})
