import assert from 'node:assert/strict'
import { afterEach, describe, it, mock } from 'node:test'
import {
  FROM_ADDRESS,
  scriptService,
  STARTED,
  type ServiceResponse,
} from '../../test/script-responses.ts'
import type { Payment } from './address.ts'
import { callWithSession } from './calls.ts'
import { explainRefusal } from './explain.ts'
import { en } from '../messages-en.ts'
import { topupEn } from './messages-en.ts'
import { preparePayment } from './prepare.ts'
import { chosen } from './saved/chosen.ts'
import type { Screen } from './screen.ts'

const { owner } = STARTED
const CREATED: ServiceResponse = {
  status: 200,
  body: { clientSecret: 'pi_2_secret_3', publishableKey: 'pk_test_2', user: owner, more: 1 },
}

afterEach(() => mock.restoreAll())

async function prepare(payment: Payment | undefined, amount: string, response = CREATED) {
  const shown: Screen[] = []
  const requests = scriptService(response)
  const show = (screen: Screen) => void shown.push(screen)
  const result = await preparePayment({ payment, show }, callWithSession('ws 1'), amount)
  return { result, shown, requests }
}

describe('preparing a payment', () => {
  it('starts one for the amount', async () => {
    const { result, shown, requests } = await prepare(undefined, '10.00')
    const secrets = { clientSecret: 'pi_2_secret_3', publishableKey: 'pk_test_2' }
    assert.deepEqual(result, { ok: true, data: { ...secrets, amount: '10.00', owner, choice: {} } })
    assert.deepEqual(requests, [
      { url: '/api/widget/topup/create-intent?session=ws+1', body: { amount: '10.00' } },
    ])
    assert.deepEqual(shown, [])
  })

  it('pays with the saved card that the person has chosen, and forgets it if that fails', async () => {
    const choice = { cardId: 'pm_1', name: 'Visa ending in 4242' }
    const lost = mock.fn()
    Object.assign(chosen, { choice, ticket: 'ticket 1', onNotPaid: lost })
    const { result, requests } = await prepare(undefined, '10.00')
    assert(result.ok)
    assert.deepEqual(result.data.choice, choice)
    assert.deepEqual(requests, [
      {
        url: '/api/widget/topup/cards/create-intent?session=ws+1',
        body: { amount: '10.00', cardId: 'pm_1', ticket: 'ticket 1' },
      },
    ])
    assert.equal(lost.mock.callCount(), 0)
    await prepare(undefined, '10.00', { status: 502, body: {} })
    assert.equal(lost.mock.callCount(), 1)
    Object.assign(chosen, { choice: {}, ticket: undefined, onNotPaid: undefined })
  })

  it('reuses the one that was started for this amount', async () => {
    const { result, requests } = await prepare(STARTED, '25.00')
    assert.deepEqual(result, { ok: true, data: STARTED })
    assert.deepEqual(requests, [])
  })

  it('starts another one for another card, and if the person changes whether to save it', async () => {
    for (const [before, now, expected] of [
      [{ cardId: 'pm_1' }, { cardId: 'pm_2' }, 1],
      [{ cardId: 'pm_1' }, {}, 1],
      [{}, { cardId: 'pm_2' }, 1],
      [{}, { saveCard: true }, 1],
      [{ cardId: 'pm_1' }, { cardId: 'pm_1' }, 0],
      [{ saveCard: true }, { saveCard: true }, 0],
    ] as const) {
      Object.assign(chosen, { choice: now })
      const { requests } = await prepare({ ...STARTED, choice: before }, '25.00')
      assert.equal(requests.length, expected)
    }
    Object.assign(chosen, { choice: {} })
  })

  it('starts another one for another amount, and for a payment that the page did not start', async () => {
    assert.equal((await prepare(STARTED, '25.01')).requests.length, 1)
    const foreign = { ...FROM_ADDRESS, amount: '25.00' }
    assert.equal((await prepare(foreign, '25.00')).requests.length, 1)
  })

  it('ends with the session, stops for a frozen wallet, and passes on every other refusal', async () => {
    const ended = await prepare(undefined, '10.00', { status: 401 })
    assert.deepEqual(ended.shown, [{ name: 'ended', reason: 'session_expired' }])
    const body = { code: 'WALLET_INACTIVE' }
    const frozen = await prepare(undefined, '10.00', { status: 403, body })
    assert.deepEqual(frozen.shown, [{ name: 'frozen' }])
    assert.equal(frozen.result.ok, false)
    for (const response of [{ status: 429 }, { status: 502 }, 'offline'] as const) {
      const { result, shown } = await prepare(undefined, '10.00', response)
      assert.deepEqual([result.ok, shown], [false, []])
    }
  })
})

describe('a refused payment', () => {
  async function explain(response: ServiceResponse) {
    const { result } = await prepare(undefined, '10.00', response)
    assert(!result.ok)
    return explainRefusal(result, en, topupEn, {
      refused: 'Another amount.',
      dayLimit: (seconds) => `Wait ${seconds}.`,
    })
  }

  it('explains that nothing was charged if there is no response', async () => {
    assert.deepEqual(await explain('offline'), { errors: { form: topupEn.problem.unanswered } })
  })

  it('shows how long to wait, at least a second', async () => {
    for (const [header, seconds] of [
      ['30', 30],
      ['1.2', 2],
      ['0', 1],
      ['soon', 1],
    ] as const) {
      const headers = { 'retry-after': header }
      assert.deepEqual(await explain({ status: 429, headers }), {
        errors: { form: en.rateLimited(seconds) },
        clearAfterSeconds: seconds,
      })
    }
    const { clearAfterSeconds } = await explain({ status: 429 })
    assert.equal(clearAfterSeconds, 1)
  })

  it('shows when a person who has reached the limit per day can continue', async () => {
    const body = { code: 'TOPUP_LIMIT_EXCEEDED' }
    const limited = { status: 429, body, headers: { 'retry-after': '3600' } }
    assert.deepEqual(await explain(limited), { errors: { amount: 'Wait 3600.' } })
  })

  it('has a text for the amount, for the provider, and a general one', async () => {
    const amount = { status: 400, body: { code: 'INVALID_AMOUNT' } }
    assert.deepEqual(await explain(amount), { errors: { amount: 'Another amount.' } })
    assert.deepEqual(await explain({ status: 502 }), {
      errors: { form: topupEn.problem.providerDown },
    })
    assert.deepEqual(await explain({ status: 500 }), { errors: { form: en.unexpected } })
  })
})
