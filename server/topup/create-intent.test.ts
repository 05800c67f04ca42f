import { createIntent as endpoint } from '@coffer/contract/widget-api'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertPause } from '../test/sign-in.ts'
import { setEmail } from '../test/factories.ts'
import { mintSession } from '../test/shop.ts'
import { assertRefusal, movesNothing, type Stage } from '../test/setup.ts'
import {
  assertBooks,
  begin,
  inSession,
  openTopupStage,
  post,
  sweepNow,
  walletOf,
  withNewUser,
  type TopupStage,
} from '../test/topup-setup.ts'

const CREATE = 'POST /v1/payment_intents'

describe('POST /api/widget/topup/create-intent', () => {
  let stage: TopupStage
  before(async () => {
    stage = await openTopupStage()
  })
  after(() => stage.close())

  async function ask(there: Stage, amount: unknown) {
    return post(there, inSession(endpoint, await mintSession(there)), { amount })
  }

  async function rowsOf({ harness, user }: Stage) {
    const { rows } = await harness.admin.query<{ id: string; intent_id: string; status: string }>(
      'select id, intent_id, status from directory.topups where service_user_id = $1',
      [user.id],
    )
    return rows
  }

  async function movesNoMoneyAndBeginsNothing(act: () => Promise<void>) {
    const intents = stage.sandbox.state.paymentIntents.size
    const count = 'select count(*) from directory.topups'
    const earlier = await stage.harness.admin.query(count)
    await movesNothing(stage.harness.admin, act)
    assert.deepEqual((await stage.harness.admin.query(count)).rows, earlier.rows)
    assert.equal(stage.sandbox.state.paymentIntents.size, intents)
  }

  it('200 returns an intent of that amount and the owner of the wallet, and no money moves', async () => {
    const there = await withNewUser(stage)
    await setEmail(stage.harness.admin, there.user, 'grace.hopper@example.com')
    await movesNothing(stage.harness.admin, async () => {
      const { session: _, paymentIntentId, clientSecret, ...rest } = await begin(there, 12.5)
      assert.match(paymentIntentId, /^pi_\w+$/)
      assert(clientSecret.startsWith(`${paymentIntentId}_secret_`))
      const publishableKey = 'pk_test_sandbox'
      const status = 'requires_payment_method'
      const user = { firstName: 'Ada', lastName: 'Example', maskedEmail: 'g…@example.com' }
      assert.deepEqual(rest, { publishableKey, amount: 12.5, currency: 'USD', status, user })
    })
  })

  it("200 names the intent by the top-up's id, which is also the idempotency key", async () => {
    const there = await withNewUser(stage)
    const { paymentIntentId } = await begin(there, '7.10' as unknown as number)
    const [row] = await rowsOf(there)
    assert.equal(row?.intent_id, paymentIntentId)
    const intent = stage.sandbox.state.paymentIntents.get(paymentIntentId)
    assert.deepEqual(intent?.metadata, { topupId: row.id })
    assert.equal(intent?.amount, 710)
    assert.equal(stage.sandbox.state.answers.has(`topup-${row.id}`), true)
  })

  for (const fault of ['timeoutBefore', 'timeoutAfter', 'status500', 'status500After'] as const) {
    it(`502 PAYMENT_PROVIDER_ERROR on ${fault}: one row, one intent, one credit once it is paid`, async () => {
      const there = await withNewUser(stage)
      const earlier = stage.sandbox.state.paymentIntents.size
      stage.sandbox.faults[fault] = { times: 2, reset: true }
      assertRefusal(await ask(there, 20), endpoint, 'PAYMENT_PROVIDER_ERROR')
      const rows = await rowsOf(there)
      assert.deepEqual([rows.length, rows[0]?.intent_id, rows[0]?.status], [1, null, 'open'])
      await sweepNow(stage)
      const [bound, ...others] = await rowsOf(there)
      assert.equal(others.length, 0)
      assert.equal(stage.sandbox.state.paymentIntents.size, earlier + 1)
      assert.deepEqual(await walletOf(there), { balance: 0n, debt: 0n, isActive: true })
      stage.sandbox.complete(bound?.intent_id ?? '')
      await sweepNow(stage)
      await sweepNow(stage)
      assert.deepEqual(await walletOf(there), { balance: 2000n, debt: 0n, isActive: true })
      await assertBooks(stage)
    })
  }

  it('502 PAYMENT_PROVIDER_ERROR within eight seconds when the processor hangs, and says in the log why', async () => {
    stage.sandbox.faults.timeoutBefore = { times: 2 }
    const startedMs = performance.now()
    assertRefusal(await ask(await withNewUser(stage), 20), endpoint, 'PAYMENT_PROVIDER_ERROR')
    assert(performance.now() - startedMs < 8_000)
    const line = stage.harness.logLines.findLast((each) => each.includes('card processor'))
    assert.match(line ?? '', /StripeConnectionError/)
    await sweepNow(stage)
  })

  it('200 finds the same intent again when only the first answer was lost', async () => {
    const there = await withNewUser(stage)
    const earlier = stage.sandbox.state.paymentIntents.size
    stage.sandbox.faults.timeoutAfter = { times: 1, reset: true }
    const calls = stage.calls.length
    await begin(there)
    assert.deepEqual(stage.calls.slice(calls), [CREATE, CREATE])
    assert.equal(stage.sandbox.state.paymentIntents.size, earlier + 1)
  })

  it('400 INVALID_AMOUNT for anything but a plain amount within the bounds', async () => {
    const there = await withNewUser(stage)
    await movesNoMoneyAndBeginsNothing(async () => {
      const odd = [undefined, null, true, [], {}, '', 'ten', '1e2', '+5', '-5', ' 5', '5 ', '05']
      const outside = [0, -5, 0.99, '0.999', 1000.01, 1.234, 1_000_000, 1e21, '1,000', 'NaN']
      for (const amount of [...odd, ...outside]) {
        assertRefusal(await ask(there, amount), endpoint, 'INVALID_AMOUNT')
      }
    })
    for (const amount of [1, 1000, '1.00', '999.99']) await begin(there, amount as number)
  })

  it('403 WALLET_INACTIVE while the wallet is frozen', async () => {
    const there = await withNewUser(stage)
    const { ledger } = stage.harness.context
    await ledger.setWalletActive(there.user.walletId, false)
    await movesNoMoneyAndBeginsNothing(async () => {
      assertRefusal(await ask(there, 20), endpoint, 'WALLET_INACTIVE')
    })
    await ledger.setWalletActive(there.user.walletId, true)
    await begin(there)
  })

  it('429 RATE_LIMITED for the eleventh within an hour, also when they come at once', async () => {
    const other = await openTopupStage({ TOPUPS_PER_HOUR: '10' })
    try {
      const there = await withNewUser(other)
      const session = await mintSession(there)
      const asks = Array.from({ length: 25 }, () =>
        post(there, inSession(endpoint, session), { amount: 20 }),
      )
      const responses = await Promise.all(asks)
      const refused = responses.filter(({ statusCode }) => statusCode !== 200)
      assert.equal(refused.length, 15)
      for (const response of refused) assertPause(response, 3_590, 3_600)
      assert.equal((await rowsOf(there)).length, 10)
      await begin(await withNewUser(other))
      // The first of them leaves the hour.
      await other.harness.admin.query(
        `update directory.topups set created_at = now() - interval '59 minutes 50 seconds'
          where id = (select id from directory.topups order by created_at limit 1)`,
      )
      assertPause(await ask(there, 20), 5, 10)
      await other.harness.admin.query(
        `update directory.topups set created_at = created_at - interval '10 seconds'`,
      )
      await begin(there)
      assertPause(await ask(there, 20), 3_500, 3_600)
    } finally {
      await other.close()
    }
  })
})
