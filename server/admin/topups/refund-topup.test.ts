import { readTopup, refundTopup as endpoint } from '@coffer/contract/admin/topups'
import { debit } from '@coffer/contract/server-api'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import * as refusals from '../../test/refusals.ts'
import { askAs, auditOf, openAdminStage } from '../../test/admin-setup.ts'
import {
  openAdminTopupStage,
  deliverAll,
  withTopup,
  type AdminTopupStage,
} from '../../test/admin-topup-setup.ts'
import { connectAdmin } from '../../test/harness.ts'
import { changesNothing, assertRefusal, call, type Fields } from '../../test/setup.ts'
import { assertBooks, begin, chargeOf, rowOf, walletOf } from '../../test/topup-setup.ts'

const REFUND = 'POST /v1/refunds'

describe('POST /api/admin/topups/refund', () => {
  let stage: AdminTopupStage
  before(async () => {
    stage = await openAdminTopupStage()
  })
  after(async () => {
    await assertBooks(stage)
    await stage.close()
  })

  const wishOf = (topupId: string, amount: number, refundId = randomUUID()) => ({
    refundId,
    topupId,
    amount,
    reason: 'Paid twice, ticket 4711',
  })
  const anyFields = () => wishOf(randomUUID(), 5)
  const fieldsOf = async () => wishOf((await withTopup(stage)).id, 5)
  const ask = (wish: Fields) => askAs(stage, stage.operator, endpoint, wish)
  const sent = () => stage.calls.filter((each) => each === REFUND).length

  async function refund(wish: Fields): Promise<string> {
    const response = await ask(wish)
    assert.equal(response.statusCode, 200, response.body)
    return response.json().state
  }

  async function read(id: string) {
    return (await askAs(stage, stage.viewer, readTopup, { id })).json()
  }

  async function assertRefunded(id: string, amount: number) {
    const { refunded, refunds, wallet } = await read(id)
    assert.deepEqual(
      [refunded, refunds.length, refunds[0].state, wallet.balance],
      [amount, 1, 'sent', 20 - amount],
    )
  }

  it('200 refunds a part to the card, and the log contains who did it and why', async () => {
    const { there, intent, id } = await withTopup(stage)
    const wish = wishOf(id, 7.5)
    assert.equal(await refund(wish), 'sent')
    await assertRefunded(id, 7.5)
    const shown = await read(id)
    assert.equal(shown.refundable, 12.5)
    const [{ createdAt, processorId, ...listed }] = shown.refunds
    assert(Date.now() - Date.parse(createdAt) < 60_000)
    assert.deepEqual(listed, {
      id: wish.refundId,
      state: 'sent',
      amount: 7.5,
      reason: wish.reason,
      isForeign: false,
      nextCheckAt: null,
    })
    const atProcessor = stage.sandbox.state.refunds.get(processorId)
    assert.deepEqual([atProcessor?.amount, atProcessor?.charge], [7_50, chargeOf(there, intent)])
    const [entry, ...others] = await auditOf(stage, id)
    assert.deepEqual(others, [])
    assert.deepEqual([entry?.action, entry?.actor], ['topup.refund', stage.operator.email])
    assert.deepEqual(entry?.before, { refundable: '20.00' })
    assert.deepEqual(entry?.after, {
      refundable: '12.50',
      refundId: wish.refundId,
      amount: '7.50',
      reason: wish.reason,
    })
  })

  it('200 "released" when the processor refuses, and the money is back', async () => {
    const { there, intent, id } = await withTopup(stage)
    stage.sandbox.openDispute(chargeOf(there, intent), { amount: 1_00 })
    const wish = wishOf(id, 5)
    assert.equal(await refund(wish), 'released')
    assert.equal(await refund(wish), 'released')
    const { refunds, wallet, refundable } = await read(id)
    assert.deepEqual([refunds[0].state, wallet.balance, refundable], ['released', 20, 20])
    await deliverAll(there, intent)
  })

  it('400 INVALID_AMOUNT above what is left, for what was never credited, and for what is no amount', async () => {
    const { there, id } = await withTopup(stage)
    const unpaid = (await rowOf(stage, await begin(there))).id
    await refund(wishOf(id, 15))
    await changesNothing(stage, async () => {
      const amounts: unknown[] = [5.01, 0, -1, '1e1', 'all', 1.001, undefined, null]
      for (const amount of amounts) {
        const response = await ask({ ...wishOf(id, 5), amount })
        assertRefusal(response, endpoint, 'INVALID_AMOUNT')
      }
      assertRefusal(await ask(wishOf(unpaid, 1)), endpoint, 'INVALID_AMOUNT')
    })
    await assertRefunded(id, 15)
  })

  it('400 INSUFFICIENT_BALANCE when the money is spent; the processor hears nothing, and a smaller one works', async () => {
    const { there, id } = await withTopup(stage)
    const { serviceUserId } = there.user
    const pair = { referenceType: 'ORDER', referenceId: randomUUID() }
    await call(there, debit, { serviceUserId, amount: 15, ...pair })
    const earlier = sent()
    const wish = wishOf(id, 10)
    for (const _ of [1, 2]) assertRefusal(await ask(wish), endpoint, 'INSUFFICIENT_BALANCE')
    assert.equal(sent(), earlier)
    assert.equal((await read(id)).refunds[0].state, 'refused')
    assert.equal(await refund(wishOf(id, 5)), 'sent')
    assert.deepEqual(await walletOf(there), { balance: 0n, debt: 0n, isActive: true })
  })

  it('400 INVALID_REQUEST for what does not fit, also an id that names another refund', async () => {
    await refusals.refusesFields(stage, endpoint, fieldsOf, [
      ['refundId', undefined],
      ['refundId', 'r1'],
      ['topupId', 'x'],
      ['reason', undefined],
      ['reason', '   '],
      ['reason', 'a\u0000b'],
      ['reason', 'x'.repeat(501)],
    ])
    const { id } = await withTopup(stage)
    const other = (await withTopup(stage)).id
    const wish = wishOf(id, 5)
    await refund(wish)
    for (const changed of [{ amount: 6 }, { topupId: other }]) {
      const response = await ask({ ...wish, ...changed })
      assertRefusal(response, endpoint, 'INVALID_REQUEST', 'refundId')
    }
    await assertRefunded(id, 5)
  })

  it('404 NOT_FOUND for a top-up that is not there', async () => {
    assertRefusal(await ask(anyFields()), endpoint, 'NOT_FOUND')
  })

  it('502 PAYMENT_PROVIDER_ERROR where no processor is configured', async () => {
    const bare = await openAdminStage()
    try {
      const response = await askAs(bare, bare.operator, endpoint, anyFields())
      assertRefusal(response, endpoint, 'PAYMENT_PROVIDER_ERROR')
    } finally {
      await bare.harness.end()
    }
  })

  it('503 OUTCOME_UNKNOWN when it takes too long; asking again finds the one refund', async () => {
    const { there, id } = await withTopup(stage)
    const holder = await connectAdmin(stage.harness.databaseUrl)
    const wish = wishOf(id, 8)
    await holder.query('begin')
    const lock = 'select from ledger.wallets where id = $1 for update'
    await holder.query(lock, [there.user.walletId])
    stage.sandbox.faults.delayMs = 4_500
    const asked = ask(wish)
    await sleep(6_000)
    await holder.query('rollback')
    await holder.end()
    assertRefusal(await asked, endpoint, 'OUTCOME_UNKNOWN')
    stage.sandbox.resetFaults()
    // The first one is still at work, here and at the processor.
    await sleep(3_500)
    assert.equal(await refund(wish), 'sent')
    await assertRefunded(id, 8)
  })
})
