/** A payment is credited to the wallet once, whatever the state of payment, session and wallet. */
import { credit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from '../database/statement.ts'
import { giveBonus } from '../test/factories.ts'
import { call, movesNothing } from '../test/setup.ts'
import {
  assertBooks,
  beginAndPay,
  chargeOf,
  confirm,
  openTopupSetup,
  rowOf,
  topUp,
  walletOf,
  withNewUser,
  type Intent,
  type TopupSetup,
} from '../test/topup-setup.ts'
import { deliver, eventOf, eventsAbout } from '../test/webhooks.ts'
import { endTopup } from './queries.ts'
import { reconcile } from './reconcile.ts'

describe('a paid top-up', () => {
  let setup: TopupSetup
  before(async () => {
    setup = await openTopupSetup()
  })
  after(() => setup.close())

  it('200 requires_action until the authentication at the bank, then succeeded', async () => {
    const shop = await withNewUser(setup)
    const intent = await beginAndPay(shop, 20, 'pm_card_authenticationRequired')
    await movesNothing(setup.harness.admin, async () => {
      const { status, balance } = (await confirm(shop, intent)).json<Record<string, unknown>>()
      assert.deepEqual([status, balance], ['requires_action', 0])
    })
    setup.sandbox.authenticate(intent.paymentIntentId, 'succeeded')
    const { status, balance } = (await confirm(shop, intent)).json<Record<string, unknown>>()
    assert.deepEqual([status, balance], ['succeeded', 20])
  })

  it('200 even if a client app has used the same pair in its own namespace', async () => {
    const shop = await withNewUser(setup)
    const intent = await beginAndPay(shop)
    const pair = { referenceType: 'TOPUP', referenceId: intent.paymentIntentId }
    const { serviceUserId } = shop.user
    const taken = await call(shop, credit, { serviceUserId, amount: 0.01, ...pair })
    assert.equal(taken.statusCode, 200)
    assert.equal((await confirm(shop, intent)).json<{ balance: number }>().balance, 20.01)
  })

  async function feesOf(text: string) {
    const { rows } = await setup.harness.admin.query<{ amount: string; currency: string }>(
      'select amount, currency from directory.processor_fees where source = $1',
      [text],
    )
    return rows
  }

  it('records the fee of the processor once, even if it is known only later', async () => {
    const shop = await withNewUser(setup)
    const early = await topUp(shop)
    await confirm(shop, early)
    const fee = { amount: '88', currency: 'USD' }
    assert.deepEqual(await feesOf(chargeOf(setup, early)), [fee])
    setup.sandbox.faults.balanceTransactionDelayMs = 2_000
    const late = await topUp(shop)
    setup.sandbox.faults.balanceTransactionDelayMs = 0
    assert.deepEqual(await feesOf(chargeOf(setup, late)), [])
    const charge = chargeOf(setup, late)
    const isUpdated = () => eventsAbout(setup, charge).some(({ type }) => type === 'charge.updated')
    while (!isUpdated()) await sleep(20)
    const event = eventOf(setup, 'charge.updated', charge)
    for (let times = 0; times < 2; times++) await deliver(setup, event)
    assert.deepEqual(await feesOf(chargeOf(setup, late)), [fee])
    assert.equal((await walletOf(shop)).balance, 40_00n)
    await assertBooks(setup)
  })

  it('200 credits the amount that the processor received, not the requested amount', async () => {
    const shop = await withNewUser(setup)
    const intent = await beginAndPay(shop, 20)
    const paid = setup.sandbox.state.paymentIntents.get(intent.paymentIntentId)
    assert(paid !== undefined)
    paid.amount_received = 15_00
    assert.equal((await confirm(shop, intent)).json<{ balance: number }>().balance, 15)
    assert.equal((await walletOf(shop)).balance, 15_00n)
  })

  it('keeps when it was credited and what reported it first, whatever reports it later', async () => {
    const shop = await withNewUser(setup)
    const intent = await topUp(shop)
    const readRow = async () => {
      const { rows } = await setup.harness.admin.query<{ reported_by: string }>(
        'select status, ended_at, reported_by from directory.topups where intent_id = $1',
        [intent.paymentIntentId],
      )
      return rows[0]
    }
    const first = await readRow()
    assert.equal(first?.reported_by, 'page')
    // A sweep that found it open just before.
    await run(setup.harness.context.db, endTopup((await rowOf(shop, intent)).id))
    assert.deepEqual(await readRow(), first)
    await deliver(setup, eventOf(setup, 'payment_intent.succeeded', intent.paymentIntentId))
    assert.deepEqual(await readRow(), first)
    setup.sandbox.openDispute(chargeOf(setup, intent))
    for (const event of eventsAbout(setup, intent.paymentIntentId)) {
      assert.equal((await deliver(setup, event)).statusCode, 200)
    }
    assert.deepEqual(await walletOf(shop), { balance: 0n, debt: 0n, isActive: true })
    assert.deepEqual(await readRow(), first)
  })

  it('is left for manual handling if it would exceed the largest balance', async () => {
    const shop = await withNewUser(setup)
    const intent = await beginAndPay(shop)
    const { ledger } = setup.harness.context
    await giveBonus(ledger, shop.user.walletId, 999_999_999_999_999n)
    for (let times = 0; times < 2; times++) {
      assert.equal((await confirm(shop, intent)).json<Intent>().status, 'processing')
    }
    assert.equal((await rowOf(shop, intent)).status, 'open')
    assert(
      setup.harness.logLines.some((line) =>
        line.includes('refund the payment at the card processor'),
      ),
    )
    const { differences } = await reconcile(setup.tools, lastHour(), { creditMissing: true })
    assert.deepEqual(differences, [
      {
        intentId: intent.paymentIntentId,
        what: 'paid 2000, credited BALANCE_LIMIT',
        isCredited: false,
      },
    ])
  })
})

function lastHour() {
  return { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 60_000) }
}
