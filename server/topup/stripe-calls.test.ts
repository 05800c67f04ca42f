/** One person with many sessions, or one client app, must not use up the calls that the processor allows for all. */
import { confirmTopup, createIntent } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { createRateLimit } from '../http/rate-limit.ts'
import { createThrottles } from '../http/create-throttles.ts'
import { makeClientApp, makeLinkedUser } from '../test/factories.ts'
import { makePayer } from '../test/own-topup-setup.ts'
import { assertRefusal } from '../test/setup.ts'
import { mintSession } from '../test/shop.ts'
import { mintPersonSession } from '../test/topup/card-setup.ts'
import {
  begin,
  beginOwn,
  confirm,
  inSession,
  openTopupSetup,
  post,
  withNewUser,
  type TopupSetup,
} from '../test/topup-setup.ts'

describe('the calls of the processor', () => {
  let setup: TopupSetup
  before(async () => {
    setup = await openTopupSetup()
  })
  after(() => setup.close())

  const unlimited = createRateLimit(1_000_000)
  beforeEach(() => {
    const { throttles } = setup.harness.context
    throttles.mayPersonCallStripe = unlimited
    throttles.mayAppCallStripe = unlimited
    setup.sandbox.resetFaults()
  })

  /** Refills so slowly that the tests do not depend on the clock. */
  function limit(name: 'mayPersonCallStripe' | 'mayAppCallStripe', count: number) {
    setup.harness.context.throttles[name] = createRateLimit(count, 3_600)
  }

  it('are few for many concurrent confirms of one payment', async () => {
    const shop = await withNewUser(setup)
    const intent = await begin(shop)
    const sessions = await Promise.all(Array.from({ length: 10 }, () => mintSession(shop)))
    setup.sandbox.complete(intent.paymentIntentId)
    // Longer than the requests need to arrive.
    setup.sandbox.faults.delayMs = 1_500
    const earlier = setup.calls.length
    const confirms = sessions.flatMap((session) =>
      Array.from({ length: 10 }, () => confirm(shop, { ...intent, session })),
    )
    for (const { statusCode, body } of await Promise.all(confirms)) {
      assert.equal(statusCode, 200, body)
    }
    const calls = setup.calls.length - earlier
    assert(calls < 10, `${calls} calls for ${confirms.length} requests`)
  })

  it('429 RATE_LIMITED for a person, however many sessions they have', async () => {
    limit('mayPersonCallStripe', 3)
    const shop = await withNewUser(setup)
    const earlier = setup.calls.length
    const intent = await begin(shop)
    for (let count = 0; count < 8; count++) {
      const response = await confirm(shop, { ...intent, session: await mintSession(shop) })
      if (count < 2) assert.equal(response.statusCode, 402, response.body)
      else assertRefusal(response, confirmTopup, 'RATE_LIMITED')
    }
    const create = inSession(createIntent, await mintSession(shop))
    assertRefusal(await post(shop, create, { amount: 20 }), createIntent, 'RATE_LIMITED')
    assert.equal(setup.calls.length - earlier, 3)
    await begin(await withNewUser(setup))
  })

  it('200 at /account while the calls of the person in an app are limited: an app blocks only itself', async () => {
    limit('mayPersonCallStripe', 1)
    const payer = await makePayer(setup)
    const session = await mintPersonSession(setup, payer)
    const create = inSession(createIntent, session)
    assert.equal((await post(setup, create, { amount: 20 })).statusCode, 200)
    assertRefusal(await post(setup, create, { amount: 20 }), createIntent, 'RATE_LIMITED')
    await beginOwn(payer)
  })

  it('429 RATE_LIMITED for a client app, however many users it has', async () => {
    const intent = await begin(await withNewUser(setup))
    limit('mayAppCallStripe', 3)
    const earlier = setup.calls.length
    for (let count = 0; count < 3; count++) await begin(await withNewUser(setup))
    const shop = await withNewUser(setup)
    const create = inSession(createIntent, await mintSession(shop))
    assertRefusal(await post(shop, create, { amount: 20 }), createIntent, 'RATE_LIMITED')
    assertRefusal(await confirm(setup, intent), confirmTopup, 'RATE_LIMITED')
    assert.equal(setup.calls.length - earlier, 3)
    const app = await makeClientApp(setup.harness.context)
    await begin({ ...setup, app, user: await makeLinkedUser(setup.harness.context, app, 0n) })
  })

  it('a refused top-up does not count toward those of the hour', async () => {
    limit('mayPersonCallStripe', 0)
    const shop = await withNewUser(setup)
    const create = inSession(createIntent, await mintSession(shop))
    assertRefusal(await post(shop, create, { amount: 20 }), createIntent, 'RATE_LIMITED')
    const { rows } = await setup.harness.admin.query(
      'select from directory.topups where service_user_id = $1',
      [shop.user.id],
    )
    assert.equal(rows.length, 0)
  })

  it('are one a second for a person and twenty for an app, after the first few', async () => {
    const { config, db } = setup.harness.context
    const throttles = createThrottles({ ...config, stripeCallsPerSecond: 20 }, db)
    const startedMs = performance.now()
    const count = { person: 0, app: 0 }
    for (let call = 0; call < 60; call++) {
      if (await throttles.mayPersonCallStripe('1')) count.person++
      if (await throttles.mayAppCallStripe('1')) count.app++
    }
    const seconds = (performance.now() - startedMs) / 1000
    assert(count.person >= 5 && count.person <= 6 + seconds, `${count.person} in ${seconds} s`)
    assert(count.app >= 20 && count.app <= 24 + 20 * seconds, `${count.app} in ${seconds} s`)
  })
})
