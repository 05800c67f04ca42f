import { createIntent as endpoint } from '@coffer/contract/widget-api'
import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { assertPause } from '../test/sign-in.ts'
import { setEmail } from '../test/factories.ts'
import * as refusals from '../test/refusals.ts'
import { mintSession } from '../test/shop.ts'
import { assertRefusal, movesNothing, type Stage } from '../test/setup.ts'
import {
  assertBooks,
  begin,
  inSession,
  limitsSession,
  onFragileTopupStage,
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

  it('400 INVALID_REQUEST for a broken body', async () => {
    const here = inSession(endpoint, await mintSession(stage))
    await movesNoMoneyAndBeginsNothing(async () => {
      // The body's shape is looked at before its fields.
      await refusals.refusesBrokenBody(stage, here, () => ({ amount: 20 }))
    })
  })

  it('401 INVALID_SESSION without a token', async () => {
    const token = await mintSession(stage)
    await movesNoMoneyAndBeginsNothing(async () => {
      const missing = await post(stage, endpoint, { amount: 20 })
      assertRefusal(missing, endpoint, 'INVALID_SESSION')
      for (const session of ['', 'ws_', token.slice(3), `${token}0`, `${token}&session=${token}`]) {
        const response = await post(stage, inSession(endpoint, session), { amount: 20 })
        assertRefusal(response, endpoint, 'INVALID_SESSION')
      }
    })
  })

  it('401 SESSION_EXPIRED after five minutes, and for a token that never was', async () => {
    const session = await mintSession(stage)
    await stage.harness.admin.query(
      'update directory.widget_sessions set expires_at = now() where token_hash = $1',
      [hash('sha256', session, 'buffer')],
    )
    await movesNoMoneyAndBeginsNothing(async () => {
      for (const token of [session, `ws_${randomUUID()}`]) {
        const response = await post(stage, inSession(endpoint, token), { amount: 20 })
        assertRefusal(response, endpoint, 'SESSION_EXPIRED')
      }
    })
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

  it('413 PAYLOAD_TOO_LARGE beyond 16 KiB', async () => {
    const here = inSession(endpoint, await mintSession(stage))
    await refusals.tooLarge(stage, here, () => ({ amount: 20 }))
  })

  it('415 UNSUPPORTED_MEDIA_TYPE for anything but JSON', async () => {
    const here = inSession(endpoint, await mintSession(stage))
    await refusals.notJson(stage, here, () => ({ amount: 20 }))
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

  it('429 RATE_LIMITED beyond so many a second of one session', () =>
    limitsSession(endpoint, (there, { session }) =>
      post(there, inSession(endpoint, session), { amount: 20 }),
    ))

  it('503 SERVICE_UNAVAILABLE while the database cannot be reached, and the processor hears nothing', () =>
    onFragileTopupStage(async (there, admin, cut) => {
      const here = inSession(endpoint, await mintSession(there))
      await cut()
      const calls = there.calls.length
      await movesNothing(admin, async () => {
        const response = await post(there, here, { amount: 20 })
        assertRefusal(response, endpoint, 'SERVICE_UNAVAILABLE')
      })
      assert(!there.calls.slice(calls).includes(CREATE))
    }))
})
