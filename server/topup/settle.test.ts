/** A payment becomes money in the wallet, once, whatever state payment, session and wallet are in. */
import { credit } from '@coffer/contract/server-api'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { giveBonus } from '../test/factories.ts'
import { call, movesNothing } from '../test/setup.ts'
import {
  assertBooks,
  beginAndPay,
  chargeOf,
  confirm,
  openTopupStage,
  rowOf,
  topUp,
  walletOf,
  withNewUser,
  type Intent,
  type TopupStage,
} from '../test/topup-setup.ts'
import { deliver, eventOf } from '../test/webhooks.ts'
import { reconcile } from './reconcile.ts'

describe('a paid top-up', () => {
  let stage: TopupStage
  before(async () => {
    stage = await openTopupStage()
  })
  after(() => stage.close())

  it('200 requires_action until the bank is satisfied, then succeeded', async () => {
    const there = await withNewUser(stage)
    const intent = await beginAndPay(there, 20, 'pm_card_authenticationRequired')
    await movesNothing(stage.harness.admin, async () => {
      const { status, balance } = (await confirm(there, intent)).json<Record<string, unknown>>()
      assert.deepEqual([status, balance], ['requires_action', 0])
    })
    stage.sandbox.authenticate(intent.paymentIntentId, 'succeeded')
    const { status, balance } = (await confirm(there, intent)).json<Record<string, unknown>>()
    assert.deepEqual([status, balance], ['succeeded', 20])
  })

  it('200 processing until the bank has decided, then succeeded', async () => {
    const there = await withNewUser(stage)
    stage.sandbox.faults.processing = true
    const intent = await beginAndPay(there)
    stage.sandbox.faults.processing = false
    await movesNothing(stage.harness.admin, async () => {
      assert.equal((await confirm(there, intent)).json<Intent>().status, 'processing')
    })
    stage.sandbox.settle(intent.paymentIntentId)
    assert.equal((await confirm(there, intent)).json<Intent>().status, 'succeeded')
    assert.equal((await walletOf(there)).balance, 20_00n)
  })

  it('200 credits a wallet that was frozen after the payment', async () => {
    const there = await withNewUser(stage)
    const intent = await beginAndPay(there)
    await stage.harness.context.ledger.setWalletActive(there.user.walletId, false)
    assert.equal((await confirm(there, intent)).json<Intent>().status, 'succeeded')
    assert.deepEqual(await walletOf(there), { balance: 20_00n, debt: 0n, isActive: false })
  })

  it('200 although a client app has used the pair before, in its own namespace', async () => {
    const there = await withNewUser(stage)
    const intent = await beginAndPay(there)
    const pair = { referenceType: 'TOPUP', referenceId: intent.paymentIntentId }
    const { serviceUserId } = there.user
    const taken = await call(there, credit, { serviceUserId, amount: 0.01, ...pair })
    assert.equal(taken.statusCode, 200)
    assert.equal((await confirm(there, intent)).json<{ balance: number }>().balance, 20.01)
  })

  async function feesOf(text: string) {
    const { rows } = await stage.harness.admin.query<{ amount: string; currency: string }>(
      'select amount, currency from directory.processor_fees where source = $1',
      [text],
    )
    return rows
  }

  it('books the fee of the processor once, also when it is known only later', async () => {
    const there = await withNewUser(stage)
    const early = await topUp(there)
    await confirm(there, early)
    const fee = { amount: '88', currency: 'USD' }
    assert.deepEqual(await feesOf(chargeOf(stage, early)), [fee])
    stage.sandbox.faults.balanceTransactionDelayMs = 50
    const late = await topUp(there)
    stage.sandbox.faults.balanceTransactionDelayMs = 0
    assert.deepEqual(await feesOf(chargeOf(stage, late)), [])
    await sleep(100)
    const event = eventOf(stage, 'charge.updated', chargeOf(stage, late))
    for (let times = 0; times < 2; times++) await deliver(stage, event)
    assert.deepEqual(await feesOf(chargeOf(stage, late)), [fee])
    assert.equal((await walletOf(there)).balance, 40_00n)
    await assertBooks(stage)
  })

  it('is kept for a human when it does not fit into the wallet any more', async () => {
    const there = await withNewUser(stage)
    const intent = await beginAndPay(there)
    const { ledger } = stage.harness.context
    await giveBonus(ledger, there.user.walletId, 999_999_999_999_999n)
    for (let times = 0; times < 2; times++) {
      assert.equal((await confirm(there, intent)).json<Intent>().status, 'processing')
    }
    assert.equal((await rowOf(there, intent)).status, 'open')
    assert(stage.harness.logLines.some((line) => line.includes('refund it manually')))
    const { differences } = await reconcile(stage.tools, lastHour(), { heal: true })
    assert.deepEqual(differences, [
      {
        intentId: intent.paymentIntentId,
        what: 'paid 2000, credited BALANCE_LIMIT',
        healed: false,
      },
    ])
  })
})

function lastHour() {
  return { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 60_000) }
}
