import { debit } from '@coffer/contract/server-api'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { DisputeOutcome } from '../../sandbox/disputes/resolve-dispute.ts'
import type { StripeEvent } from '../processor/stripe.ts'
import { call, movesNothing } from '../test/setup.ts'
import {
  assertBooks,
  beginAndPay,
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
import { deliver, eventsAbout } from '../test/webhooks.ts'
import { refundTopup } from './refund-topup.ts'

describe('a dispute', () => {
  let stage: TopupStage
  before(async () => {
    stage = await openTopupStage()
  })
  after(() => stage.close())

  /** Tells the service everything that has happened to a payment, in order. */
  async function tellAll(there: TopupStage, { paymentIntentId }: Intent) {
    for (const event of eventsAbout(there, paymentIntentId)) {
      assert.equal((await deliver(there, event)).statusCode, 200)
    }
  }

  async function spend(there: TopupStage, amount: number) {
    const pair = { referenceType: 'ORDER', referenceId: randomUUID() }
    const { serviceUserId } = there.user
    const response = await call(there, debit, { serviceUserId, amount, ...pair })
    assert.equal(response.statusCode, 200, response.body)
  }

  async function feesOf(source: string) {
    const { rows } = await stage.harness.admin.query<{ amount: string }>(
      'select amount from directory.processor_fees where source = $1 order by amount',
      [source],
    )
    return rows.map(({ amount }) => Number(amount))
  }

  const active = { isActive: true }

  it('takes what is there, owes the rest, and gives all of it back once when it is won', async () => {
    const there = await withNewUser(stage)
    const intent = await topUp(there, 50)
    await spend(there, 30)
    const { id } = stage.sandbox.openDispute(chargeOf(there, intent))
    await tellAll(there, intent)
    assert.deepEqual(await walletOf(there), { balance: 0n, debt: 30_00n, ...active })
    assert.deepEqual(await feesOf(id), [1500])
    await assertBooks(stage)
    // A later top-up pays the debt first.
    await topUp(there, 40)
    assert.deepEqual(await walletOf(there), { balance: 10_00n, debt: 0n, ...active })
    stage.sandbox.resolveDispute(id, 'won')
    await tellAll(there, intent)
    assert.deepEqual(await walletOf(there), { balance: 60_00n, debt: 0n, ...active })
    await movesNothing(stage.harness.admin, () => tellAll(there, intent))
    assert.deepEqual(await feesOf(id), [0, 1500])
    await assertBooks(stage)
  })

  it('keeps what it took when it is lost', async () => {
    const there = await withNewUser(stage, 5_00n)
    const intent = await topUp(there, 20)
    const { id } = stage.sandbox.openDispute(chargeOf(there, intent))
    stage.sandbox.resolveDispute(id, 'lost')
    await tellAll(there, intent)
    assert.deepEqual(await walletOf(there), { balance: 5_00n, debt: 0n, ...active })
    await assertBooks(stage)
  })

  it('of a part takes that part', async () => {
    const there = await withNewUser(stage)
    const intent = await topUp(there, 20)
    stage.sandbox.openDispute(chargeOf(there, intent), { amount: 7_50 })
    await tellAll(there, intent)
    assert.deepEqual(await walletOf(there), { balance: 12_50n, debt: 0n, ...active })
    await assertBooks(stage)
  })

  it('that is only an inquiry moves nothing, until it becomes a chargeback', async () => {
    const there = await withNewUser(stage)
    const closed = await topUp(there, 20)
    const first = stage.sandbox.openDispute(chargeOf(there, closed), { isInquiry: true })
    const escalated = await topUp(there, 20)
    const second = stage.sandbox.openDispute(chargeOf(there, escalated), { isInquiry: true })
    await movesNothing(stage.harness.admin, async () => {
      await tellAll(there, closed)
      await tellAll(there, escalated)
      stage.sandbox.resolveDispute(first.id, 'warning_closed')
      await tellAll(there, closed)
    })
    stage.sandbox.resolveDispute(second.id, 'escalated')
    await tellAll(there, escalated)
    assert.deepEqual(await walletOf(there), { balance: 20_00n, debt: 0n, ...active })
    await assertBooks(stage)
  })

  it('after a refund takes the rest, and what is no longer there is owed', async () => {
    const there = await withNewUser(stage)
    const intent = await topUp(there, 20)
    await refundTopup(stage.tools, (await rowOf(there, intent)).id, 15_00n)
    const { id } = stage.sandbox.openDispute(chargeOf(there, intent))
    await tellAll(there, intent)
    assert.deepEqual(await walletOf(there), { balance: 0n, debt: 15_00n, ...active })
    stage.sandbox.resolveDispute(id, 'won')
    await tellAll(there, intent)
    assert.deepEqual(await walletOf(there), { balance: 5_00n, debt: 0n, ...active })
    await assertBooks(stage)
  })

  it('is found by asking when every webhook was lost', async () => {
    const there = await withNewUser(stage)
    const intent = await topUp(there, 20)
    const { id } = stage.sandbox.openDispute(chargeOf(there, intent))
    await sweepNow(stage)
    assert.deepEqual(await walletOf(there), { balance: 0n, debt: 0n, ...active })
    stage.sandbox.resolveDispute(id, 'won')
    await sweepNow(stage)
    assert.deepEqual(await walletOf(there), { balance: 20_00n, debt: 0n, ...active })
    await assertBooks(stage)
  })

  it('is booked in our currency when the processor settles in another', async () => {
    const there = await withNewUser(stage)
    const intent = await topUp(there, 20)
    const { id } = stage.sandbox.openDispute(chargeOf(there, intent))
    const movement = stage.sandbox.state.disputes.get(id)?.balance_transactions[0]
    assert(movement !== undefined)
    Object.assign(movement, { amount: -1834, fee: 1375, currency: 'eur' })
    await tellAll(there, intent)
    assert.deepEqual(await walletOf(there), { balance: 0n, debt: 0n, ...active })
    const { rows } = await stage.harness.admin.query(
      'select amount, currency from directory.processor_fees where source = $1',
      [id],
    )
    assert.deepEqual(rows, [{ amount: '1375', currency: 'EUR' }])
    Object.assign(movement, { amount: -2000, currency: 'usd' })
  })

  it('ends the same in whatever order and however often its events arrive', async () => {
    const outcomes = fc.constantFrom<DisputeOutcome | 'open'>('won', 'lost', 'open')
    const history = fc.record({
      /** Otherwise nobody has told the service of the payment itself either. */
      isConfirmed: fc.boolean(),
      spent: fc.integer({ min: 0, max: 20 }),
      refunded: fc.integer({ min: 0, max: 10 }),
      outcome: outcomes,
      /** When it is told of which event; an event may be told often, and before others have happened. */
      order: fc.array(fc.nat({ max: 30 }), { minLength: 5, maxLength: 25 }),
    })
    await fc.assert(
      fc.asyncProperty(history, async ({ isConfirmed, refunded, outcome, order, ...rest }) => {
        const there = await withNewUser(stage)
        const spent = isConfirmed ? rest.spent : 0
        const intent = await (isConfirmed ? topUp : beginAndPay)(there, 20)
        if (spent > 0) await spend(there, spent)
        if (refunded > 0) {
          const { refunds } = stage.tools.processor.stripe
          await refunds.create({ payment_intent: intent.paymentIntentId, amount: refunded * 100 })
        }
        const { id } = stage.sandbox.openDispute(chargeOf(there, intent))
        const told = async (events: StripeEvent[], index: number) => {
          const event = events[index % events.length]
          assert.equal((await deliver(there, event)).statusCode, 200)
          const { balance } = await walletOf(there)
          assert(balance >= 0n)
        }
        const early = eventsAbout(there, intent.paymentIntentId)
        for (const index of order.slice(0, 3)) await told(early, index)
        if (outcome !== 'open') stage.sandbox.resolveDispute(id, outcome)
        const events = eventsAbout(there, intent.paymentIntentId)
        for (const index of order.slice(3)) await told(events, index)
        // At last each of them has arrived, several at once.
        await Promise.all(events.toReversed().map((_, index) => told(events, index)))
        const net = 20 - spent - refunded - (outcome === 'won' ? 0 : 20)
        const { balance, debt } = await walletOf(there)
        assert.deepEqual([balance - debt, balance > 0n && debt > 0n], [BigInt(net) * 100n, false])
      }),
      { numRuns: 60 },
    )
    await assertBooks(stage)
  })

  it('freezes the wallet if so configured, and a thaw by an operator is not undone by a repeat', async () => {
    const strict = await openTopupStage({ FREEZE_ON_DISPUTE: 'true' })
    const { ledger } = strict.harness.context
    try {
      const there = await withNewUser(strict)
      const intent = await topUp(there, 20)
      const inquired = await topUp(there, 20)
      strict.sandbox.openDispute(chargeOf(there, inquired), { isInquiry: true })
      await tellAll(there, inquired)
      assert.equal((await walletOf(there)).isActive, true)
      const { id } = strict.sandbox.openDispute(chargeOf(there, intent))
      await tellAll(there, intent)
      assert.deepEqual(await walletOf(there), { balance: 20_00n, debt: 0n, isActive: false })
      await ledger.setWalletActive(there.user.walletId, true)
      // The same events again as if they were new, and those of its end.
      await strict.harness.admin.query('delete from directory.processor_events')
      await tellAll(there, intent)
      strict.sandbox.resolveDispute(id, 'lost')
      await tellAll(there, intent)
      await sweepNow(strict)
      assert.deepEqual(await walletOf(there), { balance: 20_00n, debt: 0n, isActive: true })
    } finally {
      await strict.close()
    }
  })
})
