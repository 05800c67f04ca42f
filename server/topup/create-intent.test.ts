import { BALANCE_MAX_MINOR } from '@coffer/contract/money'
import { createIntent as endpoint } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { unlink } from '../identity/link.ts'
import { assertRateLimited } from '../test/sign-in.ts'
import { setEmail } from '../test/factories.ts'
import { placeHold } from '../test/ledger/hold-setup.ts'
import { mintSession } from '../test/shop.ts'
import { assertRefusal, movesNothing, type Setup } from '../test/setup.ts'
import {
  assertBooks,
  begin,
  inSession,
  openTopupSetup,
  post,
  sweepNow,
  walletOf,
  withNewUser,
  type TopupSetup,
} from '../test/topup-setup.ts'

describe('POST /api/widget/topup/create-intent', () => {
  let setup: TopupSetup
  before(async () => {
    setup = await openTopupSetup()
  })
  after(() => setup.close())

  async function create(shop: Setup, amount: unknown) {
    return post(shop, inSession(endpoint, await mintSession(shop)), { amount })
  }

  async function rowsOf({ harness, user }: Setup) {
    const { rows } = await harness.admin.query<{ id: string; intent_id: string; status: string }>(
      'select id, intent_id, status from directory.topups where service_user_id = $1',
      [user.id],
    )
    return rows
  }

  async function movesNoMoneyAndBeginsNothing(act: () => Promise<void>) {
    const intents = setup.sandbox.state.paymentIntents.size
    const count = 'select count(*) from directory.topups'
    const earlier = await setup.harness.admin.query(count)
    await movesNothing(setup.harness.admin, act)
    assert.deepEqual((await setup.harness.admin.query(count)).rows, earlier.rows)
    assert.equal(setup.sandbox.state.paymentIntents.size, intents)
  }

  it('200 returns an intent with the amount and the owner of the wallet, and no money moves', async () => {
    const shop = await withNewUser(setup)
    await setEmail(setup.harness.admin, shop.user, 'grace.hopper@example.com')
    await movesNothing(setup.harness.admin, async () => {
      const { session: _, paymentIntentId, clientSecret, ...rest } = await begin(shop, 12.5)
      assert.match(paymentIntentId, /^pi_\w+$/)
      assert(clientSecret.startsWith(`${paymentIntentId}_secret_`))
      const publishableKey = 'pk_test_sandbox'
      const status = 'requires_payment_method'
      const user = { firstName: 'Ada', lastName: 'Example', maskedEmail: 'g…@example.com' }
      assert.deepEqual(rest, { publishableKey, amount: 12.5, currency: 'USD', status, user })
    })
  })

  it("200 labels the intent with the top-up's id, which is also the idempotency key", async () => {
    const shop = await withNewUser(setup)
    const { paymentIntentId } = await begin(shop, '7.10' as unknown as number)
    const [row] = await rowsOf(shop)
    assert.equal(row?.intent_id, paymentIntentId)
    const intent = setup.sandbox.state.paymentIntents.get(paymentIntentId)
    assert.deepEqual(intent?.metadata, { topupId: row.id })
    assert.equal(intent?.amount, 710)
    assert.equal(setup.sandbox.state.storedResponses.has(`topup-${row.id}`), true)
  })

  it('502 PAYMENT_PROVIDER_ERROR if the response is lost: one row, one intent, one credit once it is paid', async () => {
    const shop = await withNewUser(setup)
    const earlier = setup.sandbox.state.paymentIntents.size
    setup.sandbox.faults.timeoutAfter = { times: 2, reset: true }
    assertRefusal(await create(shop, 20), endpoint, 'PAYMENT_PROVIDER_ERROR')
    const rows = await rowsOf(shop)
    assert.deepEqual([rows.length, rows[0]?.intent_id, rows[0]?.status], [1, null, 'open'])
    await sweepNow(setup)
    const [bound, ...others] = await rowsOf(shop)
    assert.equal(others.length, 0)
    assert.equal(setup.sandbox.state.paymentIntents.size, earlier + 1)
    assert.deepEqual(await walletOf(shop), { balance: 0n, debt: 0n, isActive: true })
    setup.sandbox.complete(bound?.intent_id ?? '')
    await sweepNow(setup)
    await sweepNow(setup)
    assert.deepEqual(await walletOf(shop), { balance: 2000n, debt: 0n, isActive: true })
    await assertBooks(setup)
  })

  it('502 PAYMENT_PROVIDER_ERROR within eight seconds when the processor hangs, and logs the reason', async () => {
    setup.sandbox.faults.timeoutBefore = { times: 2 }
    const startedMs = performance.now()
    assertRefusal(await create(await withNewUser(setup), 20), endpoint, 'PAYMENT_PROVIDER_ERROR')
    assert(performance.now() - startedMs < 8_000)
    const line = setup.harness.logLines.findLast((each) => each.includes('card processor'))
    assert.match(line ?? '', /StripeConnectionError/)
    await sweepNow(setup)
  })

  it('400 INVALID_AMOUNT for anything but a plain amount within the bounds', async () => {
    const shop = await withNewUser(setup)
    await movesNoMoneyAndBeginsNothing(async () => {
      const odd = [undefined, null, true, [], {}, '', 'ten', '1e2', '+5', '-5', ' 5', '5 ', '05']
      const outside = [0, -5, 0.99, '0.999', 1000.01, 1.234, 1_000_000, 1e21, '1,000', 'NaN']
      for (const amount of [...odd, ...outside]) {
        assertRefusal(await create(shop, amount), endpoint, 'INVALID_AMOUNT')
      }
    })
    for (const amount of [1, 1000, '1.00', '999.99']) await begin(shop, amount as number)
  })

  it('400 INVALID_AMOUNT if the wallet would exceed the largest balance, also with what is held', async () => {
    const shop = await withNewUser(setup, BALANCE_MAX_MINOR - 20_00n)
    await placeHold(shop, 50)
    await movesNoMoneyAndBeginsNothing(async () => {
      assertRefusal(await create(shop, '20.01'), endpoint, 'INVALID_AMOUNT')
    })
    await begin(shop, 20)
  })

  it('401 SESSION_EXPIRED after the user unlinked the app, with an earlier session', async () => {
    const shop = await withNewUser(setup)
    const session = await mintSession(shop)
    await unlink(setup.harness.context.db, shop.app.id, shop.user.id)
    await movesNoMoneyAndBeginsNothing(async () => {
      const response = await post(shop, inSession(endpoint, session), { amount: 20 })
      assertRefusal(response, endpoint, 'SESSION_EXPIRED')
    })
  })

  it('403 WALLET_INACTIVE while the wallet is frozen', async () => {
    const shop = await withNewUser(setup)
    const { ledger } = setup.harness.context
    await ledger.setWalletActive(shop.user.walletId, false)
    await movesNoMoneyAndBeginsNothing(async () => {
      assertRefusal(await create(shop, 20), endpoint, 'WALLET_INACTIVE')
    })
    await ledger.setWalletActive(shop.user.walletId, true)
    await begin(shop)
  })

  it('429 RATE_LIMITED for the eleventh within an hour, also for concurrent requests', async () => {
    const other = await openTopupSetup({ TOPUPS_PER_HOUR: '10' })
    try {
      const shop = await withNewUser(other)
      const session = await mintSession(shop)
      const asks = Array.from({ length: 25 }, () =>
        post(shop, inSession(endpoint, session), { amount: 20 }),
      )
      const responses = await Promise.all(asks)
      const refused = responses.filter(({ statusCode }) => statusCode !== 200)
      assert.equal(refused.length, 15)
      for (const response of refused) assertRateLimited(response, 3_590, 3_600)
      assert.equal((await rowsOf(shop)).length, 10)
      await begin(await withNewUser(other))
      // The first of them is now more than an hour old.
      await other.harness.admin.query(
        `update directory.topups set created_at = now() - interval '59 minutes 50 seconds'
          where id = (select id from directory.topups order by created_at limit 1)`,
      )
      assertRateLimited(await create(shop, 20), 5, 10)
      await other.harness.admin.query(
        `update directory.topups set created_at = created_at - interval '10 seconds'`,
      )
      await begin(shop)
      assertRateLimited(await create(shop, 20), 3_500, 3_600)
    } finally {
      await other.close()
    }
  })
})
