import type { ErrorCode } from '@coffer/contract/errors'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { ServiceError } from '../service-error.ts'
import { movesNothing } from '../test/setup.ts'
import {
  assertBooks,
  begin,
  chargeOf,
  openTopupSetup,
  rowOf,
  sweepNow,
  topUp,
  walletOf,
  withNewUser,
  type Intent,
  type TopupSetup,
} from '../test/topup-setup.ts'
import { deliver, eventOf, eventsAbout } from '../test/webhooks.ts'
import { refundTopup } from './refund-topup.ts'

const REFUND = 'POST /v1/refunds'

describe('the refund of a top-up', () => {
  let setup: TopupSetup
  before(async () => {
    setup = await openTopupSetup()
  })
  after(async () => {
    await assertBooks(setup)
    await setup.close()
  })

  async function refund(shop: TopupSetup, intent: Intent, amountMinor: bigint) {
    return refundTopup(setup.tools, (await rowOf(shop, intent)).id, amountMinor)
  }

  function refused(code: ErrorCode) {
    return (error: unknown) => error instanceof ServiceError && error.code === code
  }

  async function refundsOf(shop: TopupSetup, intent: Intent) {
    const { rows } = await setup.harness.admin.query<{
      id: string
      status: string
      stripe_id: string | null
    }>(
      'select id, status, stripe_id from directory.refunds where topup_id = $1 order by created_at',
      [(await rowOf(shop, intent)).id],
    )
    return rows
  }

  async function statusesOf(shop: TopupSetup, intent: Intent) {
    return (await refundsOf(shop, intent)).map(({ status }) => status)
  }

  async function deliverAll(shop: TopupSetup, { paymentIntentId }: Intent) {
    for (const event of eventsAbout(shop, paymentIntentId)) {
      assert.equal((await deliver(shop, event)).statusCode, 200)
    }
  }

  async function balanceOf(shop: TopupSetup) {
    const { balance, debt } = await walletOf(shop)
    assert.equal(debt, 0n)
    return balance
  }

  it('refunds all or part, never more than the top-up, and its own events move no money', async () => {
    const shop = await withNewUser(setup, 100_00n)
    const intent = await topUp(shop, 20)
    assert.equal((await refund(shop, intent, 5_00n)).status, 'sent')
    await assert.rejects(refund(shop, intent, 15_01n), refused('INVALID_AMOUNT'))
    await refund(shop, intent, 15_00n)
    await assert.rejects(refund(shop, intent, 1n), refused('INVALID_AMOUNT'))
    assert.equal(await balanceOf(shop), 100_00n)
    assert.equal(setup.sandbox.state.charges.get(chargeOf(shop, intent))?.amount_refunded, 20_00)
    await movesNothing(setup.harness.admin, () => deliverAll(shop, intent))
    assert.deepEqual(await statusesOf(shop, intent), ['sent', 'sent'])
  })

  it('is refused for a top-up that is unknown or not credited', async () => {
    const shop = await withNewUser(setup, 100_00n)
    const unpaid = await begin(shop)
    await movesNothing(setup.harness.admin, async () => {
      await assert.rejects(refund(shop, unpaid, 1n), refused('PAYMENT_INTENT_NOT_FOUND'))
      const unknown = refundTopup(setup.tools, randomUUID(), 1n)
      await assert.rejects(unknown, refused('PAYMENT_INTENT_NOT_FOUND'))
    })
  })

  it('is refused and recorded if the money is spent, without a request to the processor', async () => {
    const shop = await withNewUser(setup)
    const intent = await topUp(shop, 20)
    await refund(shop, await topUp(shop, 20), 20_00n)
    await setup.harness.context.ledger.post({
      kind: 'debit',
      referenceType: 'ORDER',
      referenceId: randomUUID(),
      walletId: shop.user.walletId,
      amountMinor: 5_00n,
      counterAccount: shop.app.ledgerAccount,
      description: null,
    })
    const calls = setup.calls.length
    await assert.rejects(refund(shop, intent, 20_00n), refused('INSUFFICIENT_BALANCE'))
    assert.equal(setup.calls.length, calls)
    assert.equal(await balanceOf(shop), 15_00n)
    assert.deepEqual(await statusesOf(shop, intent), ['refused'])
    await sweepNow(setup)
    // A refused refund does not count toward the total.
    await refund(shop, intent, 15_00n)
    assert.deepEqual(await statusesOf(shop, intent), ['refused', 'sent'])
  })

  it('releases the money when the processor refuses', async () => {
    const shop = await withNewUser(setup)
    const intent = await topUp(shop, 20)
    setup.sandbox.openDispute(chargeOf(shop, intent), { amount: 1_00 })
    await assert.rejects(refund(shop, intent, 5_00n), refused('PAYMENT_PROVIDER_ERROR'))
    assert.deepEqual(await statusesOf(shop, intent), ['released'])
    assert.equal(await balanceOf(shop), 20_00n)
    await deliverAll(shop, intent)
    assert.equal(await balanceOf(shop), 19_00n)
  })

  it('keeps the money reserved if the response is lost, and the sweeper finishes it once', async () => {
    const shop = await withNewUser(setup)
    const intent = await topUp(shop, 20)
    setup.sandbox.faults.timeoutAfter = { times: 2, route: REFUND, reset: true }
    await assert.rejects(refund(shop, intent, 8_00n), refused('PAYMENT_PROVIDER_ERROR'))
    assert.deepEqual(await statusesOf(shop, intent), ['reserved'])
    assert.equal(await balanceOf(shop), 12_00n)
    // The processor forgets an idempotency key after a day; the sweeper still does not create a second refund.
    setup.sandbox.state.storedResponses.clear()
    await sweepNow(setup, ['finish-refunds'])
    await sweepNow(setup)
    assert.deepEqual(await statusesOf(shop, intent), ['sent'])
    assert.equal(await balanceOf(shop), 12_00n)
    assert.equal(setup.sandbox.state.charges.get(chargeOf(shop, intent))?.amount_refunded, 8_00)
    await assertBooks(setup)
  })

  it('keeps the money reserved while the processor still executes the same request', async () => {
    const shop = await withNewUser(setup)
    const intent = await topUp(shop, 20)
    // It takes longer than the timeout, and rejects the second attempt because the first is in progress.
    setup.sandbox.faults.delayMs = 4_500
    const attempt = refund(shop, intent, 8_00n)
    await assert.rejects(attempt, refused('PAYMENT_PROVIDER_ERROR'))
    setup.sandbox.resetFaults()
    assert.deepEqual(await statusesOf(shop, intent), ['reserved'])
    assert.equal(await balanceOf(shop), 12_00n)
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    await sweepNow(setup)
    assert.deepEqual(await statusesOf(shop, intent), ['sent'])
    assert.equal(await balanceOf(shop), 12_00n)
    await assertBooks(setup)
  })

  it('stays released when the event about its failure arrives before the response', async () => {
    const shop = await withNewUser(setup)
    const intent = await topUp(shop, 20, 'pm_card_refundFail')
    setup.sandbox.faults.timeoutAfter = { times: 1, route: REFUND, reset: true }
    const attempt = refund(shop, intent, 8_00n)
    // The failure is reported between two attempts; the second attempt gets the stored response of the first, a
    // success.
    await new Promise((resolve) => setTimeout(resolve, 250))
    await deliver(shop, eventOf(shop, 'refund.failed', intent.paymentIntentId))
    await attempt
    assert.deepEqual(await statusesOf(shop, intent), ['released'])
    assert.equal(await balanceOf(shop), 20_00n)
  })

  it('that somebody made with the id of another refund (reserved) is taken too, and leaves that one alone', async () => {
    const shop = await withNewUser(setup)
    const [first, second] = [await topUp(shop, 20), await topUp(shop, 20)]
    // A request that never reaches the processor leaves our refund reserved, without an id of the processor.
    setup.sandbox.faults.timeoutBefore = { times: 2, route: REFUND, reset: true }
    await Promise.allSettled([refund(shop, first, 5_00n)])
    const known = await refundsOf(shop, first)
    assert.deepEqual(await statusesOf(shop, first), ['reserved'])
    await setup.tools.processor.stripe.refunds.create({
      payment_intent: second.paymentIntentId,
      amount: 8_00,
      metadata: { refundId: known[0]?.id ?? '' },
    })
    await deliverAll(shop, second)
    assert.equal(await balanceOf(shop), 27_00n)
    assert.deepEqual(await statusesOf(shop, second), ['sent'])
    assert.deepEqual(await refundsOf(shop, first), known)
    await sweepNow(setup, ['finish-refunds'])
    assert.deepEqual(await statusesOf(shop, first), ['sent'])
  })

  it('never exceeds the top-up with twenty concurrent requests', async () => {
    const shop = await withNewUser(setup, 1_000_00n)
    const intent = await topUp(shop, 20)
    const earlier = setup.calls.length
    const { id } = await rowOf(shop, intent)
    const attempts = Array.from({ length: 20 }, () => refundTopup(setup.tools, id, 6_00n))
    const results = await Promise.allSettled(attempts)
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 3)
    assert.deepEqual(await statusesOf(shop, intent), ['sent', 'sent', 'sent'])
    assert.equal(setup.calls.slice(earlier).filter((call) => call === REFUND).length, 3)
    assert.equal(await balanceOf(shop), 1_002_00n)
  })
})
