import { confirmTopup, createIntent, readWidgetWallet } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createRateLimit } from '../http/rate-limit.ts'
import { mintSession } from '../test/shop.ts'
import { assertRefusal } from '../test/setup.ts'
import { inSession, openTopupSetup, post, type TopupSetup } from '../test/topup-setup.ts'

let setup: TopupSetup
before(async () => {
  setup = await openTopupSetup()
  // Refills so slowly that the test does not depend on the clock.
  setup.harness.context.throttles.mayCallWidgetApi = createRateLimit(3, 3600)
})
after(() => setup.close())

function readWallet(session: string) {
  const url = inSession(readWidgetWallet, session).path
  return setup.harness.inject({ method: 'GET', url })
}

describe('the requests of one widget session', () => {
  it('429 RATE_LIMITED with one limit for wallet and top-up', async () => {
    const session = await mintSession(setup)
    assert.equal((await readWallet(session)).statusCode, 200)
    const begun = await post(setup, inSession(createIntent, session), { amount: 20 })
    assert.equal(begun.statusCode, 200, begun.body)
    assert.equal((await readWallet(session)).statusCode, 200)

    const { paymentIntentId } = begun.json<{ paymentIntentId: string }>()
    const confirmed = await post(setup, inSession(confirmTopup, session), { paymentIntentId })
    assertRefusal(confirmed, confirmTopup, 'RATE_LIMITED')
    assertRefusal(await readWallet(session), readWidgetWallet, 'RATE_LIMITED')
  })

  it('do not count toward the limit of another session of the same user', async () => {
    const [first, second] = [await mintSession(setup), await mintSession(setup)]
    for (let call = 0; call < 3; call++) await readWallet(first)
    assert.equal((await readWallet(first)).statusCode, 429)
    assert.equal((await readWallet(second)).statusCode, 200)
  })
})
