/** Somebody tests stolen cards with the client secret of a top-up and the publishable key, without our page. */
import { createIntent } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefusal } from '../test/setup.ts'
import { mintSession } from '../test/shop.ts'
import {
  assertBooks,
  begin,
  confirm,
  inSession,
  openTopupSetup,
  post,
  rowOf,
  walletOf,
  withNewUser,
  type Intent,
  type TopupSetup,
} from '../test/topup-setup.ts'
import { deliver, eventsAbout } from '../test/webhooks.ts'

const [DECLINED, GOOD] = ['4000000000000002', '4242424242424242']
const CANCEL = 'POST /v1/payment_intents/:id/cancel'

describe('card testing', () => {
  let setup: TopupSetup
  before(async () => {
    setup = await openTopupSetup()
  })
  after(async () => {
    await assertBooks(setup)
    await setup.close()
  })

  async function callStripe(path: string, form: Record<string, string>) {
    const { url, publishableKey } = setup.sandbox
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${publishableKey}` },
      body: new URLSearchParams(form),
    })
    return (await response.json()) as {
      id: string
      status?: string
      error?: { code: string }
    }
  }

  /** Pays like the browser; returns the status or the error code. */
  async function pay({ paymentIntentId, clientSecret }: Intent, card: string) {
    const method = await callStripe('/v1/payment_methods', {
      type: 'card',
      'card[number]': card,
      'card[exp_month]': '12',
      'card[exp_year]': '2044',
      'card[cvc]': '123',
    })
    const paid = await callStripe(`/v1/payment_intents/${paymentIntentId}/confirm`, {
      client_secret: clientSecret,
      payment_method: method.id,
      return_url: 'https://shop.example',
    })
    return paid.error?.code ?? paid.status
  }

  async function notify({ paymentIntentId }: Intent) {
    for (const event of eventsAbout(setup, paymentIntentId)) {
      assert.equal((await deliver(setup, event)).statusCode, 200)
    }
  }

  async function fail(intent: Intent, times: number) {
    for (let count = 0; count < times; count++) {
      assert.equal(await pay(intent, DECLINED), 'card_declined')
      await notify(intent)
    }
  }

  async function startAnother(shop: TopupSetup) {
    const create = inSession(createIntent, await mintSession(shop))
    return post(shop, create, { amount: 20 })
  }

  it('429 RATE_LIMITED after five failed payments, and the top-up cannot be paid anymore', async () => {
    const shop = await withNewUser(setup)
    const intent = await begin(shop)
    await fail(intent, 5)
    assert.equal(await pay(intent, GOOD), 'payment_intent_unexpected_state')
    assert.equal((await rowOf(shop, intent)).status, 'ended')
    const refused = await startAnother(shop)
    const seconds = Number(refused.headers['retry-after'])
    assert(seconds > 3_000 && seconds <= 3_600, `${seconds}`)
    assertRefusal(refused, createIntent, 'RATE_LIMITED', undefined, seconds)
    await begin(await withNewUser(setup))

    await setup.harness.admin.query(
      `update directory.topups set failed_at = failed_at - interval '1 hour' where service_user_id = $1`,
      [shop.user.id],
    )
    assert.equal((await startAnother(shop)).statusCode, 200)
  })

  it('counts the failures of all top-ups of a person, and ends all that are open', async () => {
    const shop = await withNewUser(setup)
    const intents = [await begin(shop), await begin(shop), await begin(shop)]
    await fail(intents[0] as Intent, 3)
    await fail(intents[1] as Intent, 2)
    for (const intent of intents) {
      assert.equal(await pay(intent, GOOD), 'payment_intent_unexpected_state')
    }
  })

  it('ends all that are open, also after one without a payment intent', async () => {
    const shop = await withNewUser(setup)
    const { id, walletId } = shop.user
    await setup.harness.admin.query(
      'insert into directory.topups (service_user_id, wallet_id, client_app_id, amount) values ($1, $2, $3, 2000)',
      [id, walletId, shop.app.id],
    )
    const intent = await begin(shop)
    await fail(intent, 5)
    assert.equal(await pay(intent, GOOD), 'payment_intent_unexpected_state')
  })

  it('ends all that are open when its event is repeated, if the processor did not respond at first', async () => {
    const shop = await withNewUser(setup)
    const intents = [await begin(shop), await begin(shop)]
    await fail(intents[0] as Intent, 4)
    await pay(intents[0] as Intent, DECLINED)
    setup.sandbox.faults.status500 = { times: 1_000, route: CANCEL }
    const statuses: number[] = []
    for (const event of eventsAbout(setup, intents[0]?.paymentIntentId ?? ''))
      statuses.push((await deliver(setup, event)).statusCode)
    assert(statuses.some((status) => status >= 500))
    setup.sandbox.faults.status500 = { times: 0 }
    await notify(intents[0] as Intent)
    for (const intent of intents) {
      assert.equal(await pay(intent, GOOD), 'payment_intent_unexpected_state')
    }
  })

  it('does not count a repeated event twice: somebody who mistypes four times can pay', async () => {
    const shop = await withNewUser(setup)
    const intent = await begin(shop)
    for (let count = 0; count < 4; count++) {
      await pay(intent, DECLINED)
      await Promise.all([notify(intent), notify(intent), notify(intent)])
    }
    assert.equal(await pay(intent, GOOD), 'succeeded')
    assert.equal((await confirm(shop, intent)).statusCode, 200)
    assert.equal((await walletOf(shop)).balance, 20_00n)
  })
})
