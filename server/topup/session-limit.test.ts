import { confirmTopup, createIntent, readWidgetWallet } from '@coffer/contract/widget-api'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createRateLimit } from '../http/rate-limit.ts'
import { mintSession } from '../test/shop.ts'
import { assertRefusal } from '../test/setup.ts'
import { inSession, openTopupStage, post, type TopupStage } from '../test/topup-setup.ts'

let stage: TopupStage
before(async () => {
  stage = await openTopupStage()
  // Refills so slowly that the test does not depend on the clock.
  stage.harness.context.throttles.mayCallWidgetApi = createRateLimit(3, 3600)
})
after(() => stage.close())

function readWallet(session: string) {
  const url = inSession(readWidgetWallet, session).path
  return stage.harness.inject({ method: 'GET', url })
}

describe('the calls of one widget session', () => {
  it('429 RATE_LIMITED: wallet and top-up share one limit', async () => {
    const session = await mintSession(stage)
    assert.equal((await readWallet(session)).statusCode, 200)
    const begun = await post(stage, inSession(createIntent, session), { amount: 20 })
    assert.equal(begun.statusCode, 200, begun.body)
    assert.equal((await readWallet(session)).statusCode, 200)

    const { paymentIntentId } = begun.json<{ paymentIntentId: string }>()
    const confirmed = await post(stage, inSession(confirmTopup, session), { paymentIntentId })
    assertRefusal(confirmed, confirmTopup, 'RATE_LIMITED')
    assertRefusal(await readWallet(session), readWidgetWallet, 'RATE_LIMITED')
  })

  it('do not use up the limit of another session of the same person', async () => {
    const [first, second] = [await mintSession(stage), await mintSession(stage)]
    for (let call = 0; call < 3; call++) await readWallet(first)
    assert.equal((await readWallet(first)).statusCode, 429)
    assert.equal((await readWallet(second)).statusCode, 200)
  })
})
