import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { STARTED } from '../../test/script-responses.ts'
import { keepConfirmed, takeAddress } from '../take-address.ts'
import {
  forgetPayment,
  intentIdOf,
  isStarted,
  keepPayment,
  takeTopupAddress,
  topupPath,
} from './address.ts'

const RETURNED = { clientSecret: 'pi_9_secret_8K', publishableKey: 'pk_test_1' }

/** The part of the browser's history that the page uses. */
const page = {
  state: null as unknown,
  url: '' as string | undefined,
  replaceState(state: unknown, unused: string, url?: string) {
    assert.equal(unused, '')
    page.state = structuredClone(state)
    page.url = url ?? page.url
  },
}

function open(search: string, state: unknown = null, isFromLink = false) {
  page.state = state
  page.url = `/widget/topup${search}`
  Object.assign(globalThis, { history: page, location: { search } })
  return takeTopupAddress('clientId=app_1&locale=de', 'pk_test_1', isFromLink)
}

beforeEach(() => open(''))

describe('the address of the top-up page', () => {
  it('contains the session, which is removed from the URL', () => {
    assert.deepEqual(open('?clientId=app+1&session=ws_1'), { session: 'ws_1' })
    assert.deepEqual(page.state, { session: 'ws_1' })
    assert.equal(page.url, '/widget/topup?clientId=app_1&locale=de')
    assert.equal(topupPath('clientId=app_1&locale=de'), page.url)
  })

  it('contains the amount that the app suggests, also after a reload, and no other text', () => {
    const address = { session: 'ws_1', amount: '39.00' }
    assert.deepEqual(open('?session=ws_1&amount=39.00'), address)
    assert.deepEqual(open('', page.state), address)
    for (const amount of ['', '-1', '1e3', '1,5', '<b>', '1234567890', '1.2345']) {
      assert.deepEqual(open(`?session=ws_1&amount=${encodeURIComponent(amount)}`), {
        session: 'ws_1',
      })
    }
  })

  it('contains nothing without a session and a payment', () => {
    assert.deepEqual(open('?clientId=app+1'), {})
    assert.deepEqual(open('?session='), {})
  })

  it('keeps session and payment after a reload', () => {
    const state = { session: 'ws_1', payment: STARTED }
    assert.deepEqual(open('?clientId=app+1', state), state)
    assert.deepEqual(page.state, state)
  })

  it('with a new session does not continue the payment of an earlier one', () => {
    const state = { session: 'ws_1', payment: STARTED }
    assert.deepEqual(open('?session=ws_2', state), { session: 'ws_2' })
  })

  it("contains the payment of the bank's redirect, without amount and owner", () => {
    const search = '?payment_intent=pi_9&payment_intent_client_secret=pi_9_secret_8K'
    const address = open(search, { session: 'ws_1', payment: STARTED })
    assert.deepEqual(address, { session: 'ws_1', payment: RETURNED })
    assert.equal(isStarted(address.payment), false)
    assert.equal(page.url, '/widget/topup?clientId=app_1&locale=de')
  })

  it('contains the same payment after the same redirect twice', () => {
    const search = '?payment_intent_client_secret=pi_9_secret_8K'
    const first = open(search)
    assert.deepEqual(open(search, page.state), first)
    assert.deepEqual(open('', page.state), first)
  })

  it('ignores an invalid client secret', () => {
    const state = { session: 'ws_1', payment: STARTED }
    const wrong = [
      '',
      'pi_9',
      'pi_9_secret_',
      '_secret_8',
      'x pi_9_secret_8K',
      'pi_9_secret_8K/../x',
    ]
    for (const secret of wrong) {
      const search = `?payment_intent_client_secret=${encodeURIComponent(secret)}`
      assert.deepEqual(open(search, state), state, secret)
    }
  })
})

describe('a session from a link', () => {
  const linked = { session: 'ws_1', isUnconfirmed: true }

  it('is unconfirmed, also after a reload and without its payment', () => {
    assert.deepEqual(open('?session=ws_1', null, true), linked)
    assert.deepEqual(open('', page.state, true), linked)
    keepPayment(STARTED)
    forgetPayment()
    assert.deepEqual(page.state, linked)
    assert.deepEqual(open('', page.state, false), linked)
  })

  it('is confirmed once, for itself only', () => {
    open('?session=ws_1', null, true)
    keepConfirmed()
    assert.deepEqual(open('', page.state, true), { session: 'ws_1' })
    assert.deepEqual(open('?session=ws_2', page.state, true), { ...linked, session: 'ws_2' })
  })

  it('is not confirmed by the state of an earlier session', () => {
    assert.deepEqual(open('?session=ws_1', { session: 'ws_0' }, true), linked)
    assert.deepEqual(open('?session=ws_1', linked, false), { session: 'ws_1' })
  })
})

describe('the payment of the page', () => {
  it('is stored and removed, and the session stays', () => {
    open('?session=ws_1')
    keepPayment(STARTED)
    assert.deepEqual(page.state, { session: 'ws_1', payment: STARTED })
    forgetPayment()
    assert.deepEqual(page.state, { session: 'ws_1' })
    assert.equal(page.url, '/widget/topup?clientId=app_1&locale=de')
  })

  it('is stored and removed without a session', () => {
    page.state = null
    keepPayment(STARTED)
    assert.deepEqual(page.state, { payment: STARTED })
    forgetPayment()
    assert.deepEqual(page.state, {})
    page.state = null
    forgetPayment()
    assert.deepEqual(page.state, {})
  })

  it('was started by the page only if it has an amount and an owner', () => {
    const { owner, amount, ...rest } = STARTED
    assert.equal(isStarted(STARTED), true)
    assert.equal(isStarted({ ...rest, owner }), false)
    assert.equal(isStarted({ ...rest, amount }), false)
    assert.equal(isStarted(undefined), false)
  })

  it('has its id in its secret', () => {
    assert.equal(intentIdOf(STARTED), 'pi_1')
  })
})

describe('the address of the wallet', () => {
  function openWallet(search: string, state: unknown, isFromLink: boolean) {
    open(search, state)
    page.state = state
    return takeAddress('/widget/wallet', 'clientId=app_1&theme=dark', isFromLink)
  }

  it('has a session that is unconfirmed until the visitor confirms it', () => {
    const linked = { session: 'ws_1', isUnconfirmed: true }
    assert.deepEqual(openWallet('?session=ws_1', null, true), linked)
    assert.equal(page.url, '/widget/wallet?clientId=app_1&theme=dark')
    assert.deepEqual(openWallet('', page.state, false), linked)
    keepConfirmed()
    assert.deepEqual(openWallet('', page.state, true), { session: 'ws_1' })
    assert.deepEqual(openWallet('?session=ws_1', page.state, true), linked)
    assert.deepEqual(openWallet('?session=ws_1', null, false), { session: 'ws_1' })
  })
})
