import { createIntent as endpoint } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createRateLimit } from '../http/rate-limit.ts'
import { mintSession } from '../test/shop.ts'
import { assertRefusal, type Setup } from '../test/setup.ts'
import {
  begin,
  inSession,
  openTopupSetup,
  post,
  sweepNow,
  topUp,
  walletOf,
  withNewUser,
  type Intent,
  type TopupSetup,
} from '../test/topup-setup.ts'

const DAY_SECONDS = 24 * 60 * 60
/** The longest time between two steps of a test on a slow machine. */
const SLOW_SECONDS = 60

describe('POST /api/widget/topup/create-intent', () => {
  let setup: TopupSetup
  before(async () => {
    setup = await openTopupSetup({ TOPUP_MAX: '100', TOPUP_MAX_PER_DAY: '250' })
  })
  after(() => setup.close())

  const create = async (shop: Setup, amount: number) =>
    post(shop, inSession(endpoint, await mintSession(shop)), { amount })

  /** Expects the refusal, and returns how long the person has to wait. */
  async function refuses(shop: Setup, amount: number): Promise<number> {
    const response = await create(shop, amount)
    const seconds = Number(response.headers['retry-after'])
    assertRefusal(response, endpoint, 'TOPUP_LIMIT_EXCEEDED', undefined, seconds)
    return seconds
  }

  /** Started so many hours ago, and paid at once. */
  const age = (shop: Setup, intent: Intent, hours: number) =>
    shop.harness.admin.query(
      `update directory.topups set created_at = now() - make_interval(hours => $2),
        ended_at = now() - make_interval(hours => $2) where intent_id = $1`,
      [intent.paymentIntentId, hours],
    )

  function assertSeconds(actual: number, expected: number) {
    assert(actual <= expected && actual > expected - SLOW_SECONDS, `${actual}, not ${expected}`)
  }

  it('200 up to the limit exactly, and 429 TOPUP_LIMIT_EXCEEDED above it', async () => {
    const shop = await withNewUser(setup)
    for (const amount of [100, 100, 49.99]) await topUp(shop, amount)
    assertSeconds(await refuses(shop, 1), DAY_SECONDS)
    await topUp(await withNewUser(setup), 100)
    const other = await withNewUser(setup)
    for (const amount of [100, 100, 50]) await topUp(other, amount)
    await refuses(other, 1)
  })

  it('429 TOPUP_LIMIT_EXCEEDED says when the same amount is possible again', async () => {
    const shop = await withNewUser(setup)
    const first = await topUp(shop, 100)
    const second = await topUp(shop, 100)
    await topUp(shop, 50)
    await age(shop, first, 20)
    await age(shop, second, 10)
    assertSeconds(await refuses(shop, 100), 4 * 60 * 60)
    await age(shop, first, 24)
    await topUp(shop, 100)
    assertSeconds(await refuses(shop, 1), 14 * 60 * 60)
  })

  it('429 TOPUP_LIMIT_EXCEEDED for all but as many of twenty simultaneous requests as fit', async () => {
    const shop = await withNewUser(setup)
    const responses = await Promise.all(Array.from({ length: 20 }, () => create(shop, 100)))
    const begun = responses.filter(({ statusCode }) => statusCode === 200)
    const { rows } = await shop.harness.admin.query<{ total: string }>(
      `select sum(amount) as total from directory.topups where service_user_id = $1 and status <> 'ended'`,
      [shop.user.id],
    )
    assert(Number(rows[0]?.total) <= 250_00, rows[0]?.total)
    assert(begun.length >= 1)
    // Whatever was canceled in favor of another one can no longer be paid.
    const payable = [...setup.sandbox.state.paymentIntents.values()].filter(
      ({ status, id }) =>
        status !== 'canceled' && begun.some((each) => each.json<Intent>().paymentIntentId === id),
    )
    assert(payable.length >= 1 && payable.length <= 2, String(payable.length))
  })

  it('429 TOPUP_LIMIT_EXCEEDED counts payments that wait for the bank or for our ledger', async () => {
    const shop = await withNewUser(setup)
    const waiting = await begin(shop, 100)
    shop.sandbox.complete(waiting.paymentIntentId, '4000002500003155')
    const paid = await begin(shop, 100)
    shop.sandbox.complete(paid.paymentIntentId)
    await refuses(shop, 100)
    const status = ({ paymentIntentId }: Intent) =>
      shop.sandbox.state.paymentIntents.get(paymentIntentId)?.status
    assert.deepEqual([status(waiting), status(paid)], ['requires_action', 'succeeded'])
    await sweepNow(shop)
    assert.equal((await walletOf(shop)).balance, 100_00n)
    await topUp(shop, 50)
  })

  it('429 TOPUP_LIMIT_EXCEEDED again and again causes no more calls of the processor than the person may cause', async () => {
    const shop = await withNewUser(setup)
    for (const card of ['4000002500003155', '4000002500003155']) {
      shop.sandbox.complete((await begin(shop, 100)).paymentIntentId, card)
    }
    const { throttles } = shop.harness.context
    const { mayPersonCallStripe } = throttles
    throttles.mayPersonCallStripe = createRateLimit(4, 3_600)
    const earlier = setup.calls.length
    for (let count = 0; count < 8; count++) await create(shop, 100)
    throttles.mayPersonCallStripe = mayPersonCallStripe
    const calls = setup.calls.length - earlier
    assert(calls <= 4, `${calls} calls`)
  })
})
