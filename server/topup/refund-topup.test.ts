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
  openTopupStage,
  rowOf,
  sweepNow,
  topUp,
  walletOf,
  withNewUser,
  type Intent,
  type TopupStage,
} from '../test/topup-setup.ts'
import { deliver, eventOf, eventsAbout } from '../test/webhooks.ts'
import { refundTopup } from './refund-topup.ts'

const REFUND = 'POST /v1/refunds'

describe('the refund of a top-up', () => {
  let stage: TopupStage
  before(async () => {
    stage = await openTopupStage()
  })
  after(async () => {
    await assertBooks(stage)
    await stage.close()
  })

  async function refund(there: TopupStage, intent: Intent, amountMinor: bigint) {
    return refundTopup(stage.tools, (await rowOf(there, intent)).id, amountMinor)
  }

  function refused(code: ErrorCode) {
    return (error: unknown) => error instanceof ServiceError && error.code === code
  }

  async function refundsOf(there: TopupStage, intent: Intent) {
    const { rows } = await stage.harness.admin.query<{ status: string; stripe_id: string | null }>(
      'select status, stripe_id from directory.refunds where topup_id = $1 order by created_at',
      [(await rowOf(there, intent)).id],
    )
    return rows
  }

  async function statusesOf(there: TopupStage, intent: Intent) {
    return (await refundsOf(there, intent)).map(({ status }) => status)
  }

  async function tellAll(there: TopupStage, { paymentIntentId }: Intent) {
    for (const event of eventsAbout(there, paymentIntentId)) {
      assert.equal((await deliver(there, event)).statusCode, 200)
    }
  }

  async function balanceOf(there: TopupStage) {
    const { balance, debt } = await walletOf(there)
    assert.equal(debt, 0n)
    return balance
  }

  it('gives all or parts back, never more than was topped up, and its own events move nothing', async () => {
    const there = await withNewUser(stage, 100_00n)
    const intent = await topUp(there, 20)
    assert.equal((await refund(there, intent, 5_00n)).status, 'sent')
    await assert.rejects(refund(there, intent, 15_01n), refused('INVALID_AMOUNT'))
    await refund(there, intent, 15_00n)
    await assert.rejects(refund(there, intent, 1n), refused('INVALID_AMOUNT'))
    assert.equal(await balanceOf(there), 100_00n)
    assert.equal(stage.sandbox.state.charges.get(chargeOf(there, intent))?.amount_refunded, 20_00)
    await movesNothing(stage.harness.admin, () => tellAll(there, intent))
    assert.deepEqual(await statusesOf(there, intent), ['sent', 'sent'])
  })

  it('is refused for a top-up that is unknown or not credited', async () => {
    const there = await withNewUser(stage, 100_00n)
    const unpaid = await begin(there)
    await movesNothing(stage.harness.admin, async () => {
      await assert.rejects(refund(there, unpaid, 1n), refused('PAYMENT_INTENT_NOT_FOUND'))
      const unknown = refundTopup(stage.tools, randomUUID(), 1n)
      await assert.rejects(unknown, refused('PAYMENT_INTENT_NOT_FOUND'))
    })
  })

  it('is refused and recorded when the money is spent; the processor hears nothing', async () => {
    const there = await withNewUser(stage)
    const intent = await topUp(there, 20)
    await refund(there, await topUp(there, 20), 20_00n)
    await stage.harness.context.ledger.post({
      kind: 'debit',
      referenceType: 'ORDER',
      referenceId: randomUUID(),
      walletId: there.user.walletId,
      amountMinor: 5_00n,
      counterAccount: there.app.account,
      description: null,
    })
    const calls = stage.calls.length
    await assert.rejects(refund(there, intent, 20_00n), refused('INSUFFICIENT_BALANCE'))
    assert.equal(stage.calls.length, calls)
    assert.equal(await balanceOf(there), 15_00n)
    assert.deepEqual(await statusesOf(there, intent), ['refused'])
    await sweepNow(stage)
    // What was refused is not counted.
    await refund(there, intent, 15_00n)
    assert.deepEqual(await statusesOf(there, intent), ['refused', 'sent'])
  })

  it('releases the money when the processor refuses', async () => {
    const there = await withNewUser(stage)
    const intent = await topUp(there, 20)
    stage.sandbox.openDispute(chargeOf(there, intent), { amount: 1_00 })
    await assert.rejects(refund(there, intent, 5_00n), refused('PAYMENT_PROVIDER_ERROR'))
    assert.deepEqual(await statusesOf(there, intent), ['released'])
    assert.equal(await balanceOf(there), 20_00n)
    await tellAll(there, intent)
    assert.equal(await balanceOf(there), 19_00n)
  })

  for (const fault of ['timeoutBefore', 'timeoutAfter', 'status500', 'status500After'] as const) {
    it(`keeps the money reserved on ${fault}, and the sweeper finishes it once`, async () => {
      const there = await withNewUser(stage)
      const intent = await topUp(there, 20)
      stage.sandbox.faults[fault] = { times: 2, route: REFUND, reset: true }
      await assert.rejects(refund(there, intent, 8_00n), refused('PAYMENT_PROVIDER_ERROR'))
      assert.deepEqual(await statusesOf(there, intent), ['reserved'])
      assert.equal(await balanceOf(there), 12_00n)
      // The processor forgets the request's name after a day; it is not asked for a second refund all the same.
      stage.sandbox.state.answers.clear()
      await sweepNow(stage, ['finish-refunds'])
      await sweepNow(stage)
      assert.deepEqual(await statusesOf(there, intent), ['sent'])
      assert.equal(await balanceOf(there), 12_00n)
      assert.equal(stage.sandbox.state.charges.get(chargeOf(there, intent))?.amount_refunded, 8_00)
      await assertBooks(stage)
    })
  }

  it('keeps the money reserved while the processor is still at work on the same request', async () => {
    const there = await withNewUser(stage)
    const intent = await topUp(there, 20)
    // It takes longer than we wait, and tells the second try that the first is under way.
    stage.sandbox.faults.delayMs = 4_500
    const asked = refund(there, intent, 8_00n)
    await assert.rejects(asked, refused('PAYMENT_PROVIDER_ERROR'))
    stage.sandbox.resetFaults()
    assert.deepEqual(await statusesOf(there, intent), ['reserved'])
    assert.equal(await balanceOf(there), 12_00n)
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    await sweepNow(stage)
    assert.deepEqual(await statusesOf(there, intent), ['sent'])
    assert.equal(await balanceOf(there), 12_00n)
    await assertBooks(stage)
  })

  it('releases the money once when it fails days later', async () => {
    const there = await withNewUser(stage)
    const intent = await topUp(there, 20)
    await refund(there, intent, 8_00n)
    const [sent] = await refundsOf(there, intent)
    stage.sandbox.failRefund(sent?.stripe_id ?? '')
    await tellAll(there, intent)
    assert.equal(await balanceOf(there), 20_00n)
    await stage.harness.admin.query('delete from directory.processor_events')
    await movesNothing(stage.harness.admin, () => tellAll(there, intent))
    assert.deepEqual(await statusesOf(there, intent), ['released'])
    await refund(there, intent, 20_00n)
    assert.equal(await balanceOf(there), 0n)
  })

  it('stays released when the news of its failure overtakes the answer', async () => {
    const there = await withNewUser(stage)
    const intent = await topUp(there, 20, 'pm_card_refundFail')
    stage.sandbox.faults.timeoutAfter = { times: 1, route: REFUND, reset: true }
    const asked = refund(there, intent, 8_00n)
    // Between the two tries the failure is told; the second try gets the first answer, which says otherwise.
    await new Promise((resolve) => setTimeout(resolve, 250))
    await deliver(there, eventOf(there, 'refund.failed', intent.paymentIntentId))
    await asked
    assert.deepEqual(await statusesOf(there, intent), ['released'])
    assert.equal(await balanceOf(there), 20_00n)
  })

  it('that somebody made at the processor is taken from the wallet, and returns if it fails', async () => {
    const there = await withNewUser(stage)
    const intent = await topUp(there, 20)
    const { id } = await stage.tools.processor.stripe.refunds.create({
      payment_intent: intent.paymentIntentId,
      amount: 8_00,
      metadata: { refundId: randomUUID() },
    })
    await tellAll(there, intent)
    assert.equal(await balanceOf(there), 12_00n)
    stage.sandbox.failRefund(id)
    await tellAll(there, intent)
    await movesNothing(stage.harness.admin, () => tellAll(there, intent))
    assert.equal(await balanceOf(there), 20_00n)
  })

  it('twenty at once never give back more than was topped up', async () => {
    const there = await withNewUser(stage, 1_000_00n)
    const intent = await topUp(there, 20)
    const earlier = stage.calls.length
    const { id } = await rowOf(there, intent)
    const asked = Array.from({ length: 20 }, () => refundTopup(stage.tools, id, 6_00n))
    const results = await Promise.allSettled(asked)
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 3)
    assert.deepEqual(await statusesOf(there, intent), ['sent', 'sent', 'sent'])
    assert.equal(stage.calls.slice(earlier).filter((call) => call === REFUND).length, 3)
    assert.equal(await balanceOf(there), 1_002_00n)
  })

  it('works for a frozen wallet', async () => {
    const there = await withNewUser(stage)
    const intent = await topUp(there, 20)
    await stage.harness.context.ledger.setWalletActive(there.user.walletId, false)
    await refund(there, intent, 20_00n)
    assert.deepEqual(await walletOf(there), { balance: 0n, debt: 0n, isActive: false })
  })
})
