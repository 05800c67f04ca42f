/** Money that comes from the processor while writes are paused is not lost: it waits there, and is booked afterwards. */
import { createIntent } from '@coffer/contract/widget-api'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, afterEach, before, describe, it } from 'node:test'
import { setAppPause } from '../admin/switches/queries.ts'
import { WritesPaused } from '../ledger/writes-paused.ts'
import { mintSession } from '../test/shop.ts'
import { movesNothing } from '../test/setup.ts'
import {
  assertBooks,
  begin,
  beginAndPay,
  chargeOf,
  confirm,
  inSession,
  openTopupStage,
  post,
  rowOf,
  sweepNow,
  topUp,
  wakeSweeper,
  walletOf,
  withNewUser,
  type TopupStage,
} from '../test/topup-setup.ts'
import { deliver, eventOf, eventsAbout } from '../test/webhooks.ts'
import { refundTopup } from './refund-topup.ts'
import { sweep } from './sweep.ts'

const PAUSE = { by: 'ada@example.com', reason: 'A test of the pause' }

describe('top-ups while writes are paused', () => {
  let stage: TopupStage
  before(async () => {
    stage = await openTopupStage({ FREEZE_ON_DISPUTE: 'true' })
  })
  after(async () => {
    await assertBooks(stage)
    await stage.close()
  })
  const pause = () => stage.tools.ledger.setPause(PAUSE)
  const resume = () => stage.tools.ledger.setPause(null)
  afterEach(resume)

  function assertPaused(response: LightMyRequestResponse) {
    assert.equal(response.statusCode, 503, response.body)
    assert.equal(response.headers['retry-after'], '30')
  }

  async function countTopups() {
    const { rows } = await stage.harness.admin.query<{ count: number }>(
      'select count(*)::int as count from directory.topups',
    )
    return rows[0]?.count
  }

  it('503 SERVICE_UNAVAILABLE for a new intent, and nobody is asked to pay', async () => {
    const session = await mintSession(stage)
    const create = () => post(stage, inSession(createIntent, session), { amount: 20 })
    const { db } = stage.tools
    const earlier = [await countTopups(), stage.calls.length]
    await pause()
    assertPaused(await create())
    await resume()
    await db.query(setAppPause(stage.app.clientId, PAUSE))
    await sleep(500)
    assertPaused(await create())
    assert.deepEqual([await countTopups(), stage.calls.length], earlier)
    await db.query(setAppPause(stage.app.clientId, null))
    await sleep(500)
    assert.equal((await create()).statusCode, 200)
  })

  it('confirm tells that it is under way, and credits it once writes go on', async () => {
    const there = await withNewUser(stage)
    const paid = await beginAndPay(there, 20)
    const open = await begin(there, 30)
    await pause()
    await movesNothing(stage.harness.admin, async () => {
      const response = await confirm(there, paid)
      const { status, balance, amount } = response.json()
      assert.deepEqual([response.statusCode, status, balance, amount], [200, 'processing', 0, 20])
      assert.equal((await confirm(there, open)).statusCode, 402)
    })
    await resume()
    assert.equal((await confirm(there, paid)).json().status, 'succeeded')
    await pause()
    const again = (await confirm(there, paid)).json()
    assert.deepEqual([again.status, again.balance], ['succeeded', 20])
  })

  it('a webhook is answered with 503 and brings the money home when it comes again', async () => {
    const there = await withNewUser(stage)
    const intent = await beginAndPay(there, 25)
    const event = eventOf(there, 'payment_intent.succeeded', intent.paymentIntentId)
    await pause()
    const { length } = stage.calls
    await movesNothing(stage.harness.admin, async () => {
      for (let round = 0; round < 3; round++) assertPaused(await deliver(there, event))
    })
    assert.equal(stage.calls.length, length, 'the processor is not asked in vain')
    await resume()
    assert.equal((await deliver(there, event)).statusCode, 200)
    assert.equal((await walletOf(there)).balance, 25_00n)
  })

  it('the sweeper waits, puts nothing off, and finds it afterwards', async () => {
    const there = await withNewUser(stage)
    const intent = await beginAndPay(there, 15)
    const { admin } = stage.harness
    const due = `update directory.topups set next_check_at = now() where intent_id = $1 returning checks`
    const checks = async () => (await admin.query(due, [intent.paymentIntentId])).rows
    const earlier = await checks()
    await pause()
    await wakeSweeper(stage)
    for (let round = 0; round < 3; round++) await sweep(stage.tools)
    assert.deepEqual(await checks(), earlier)
    assert.equal((await rowOf(there, intent)).status, 'open')
    await resume()
    await sweepNow(stage)
    assert.equal((await walletOf(there)).balance, 15_00n)
  })

  it('a refund is refused before it begins, so that nobody finishes it later', async () => {
    const there = await withNewUser(stage)
    const { id } = await rowOf(there, await topUp(there, 40))
    await pause()
    await assert.rejects(refundTopup(stage.tools, id, 10_00n), WritesPaused)
    await resume()
    await sweepNow(stage)
    const { rows } = await stage.harness.admin.query(
      'select id from directory.refunds where topup_id = $1',
      [id],
    )
    assert.deepEqual(rows, [])
    assert.equal((await walletOf(there)).balance, 40_00n)
  })

  it('a dispute neither takes money nor freezes the wallet until writes go on, then once', async () => {
    const there = await withNewUser(stage)
    const intent = await topUp(there, 50)
    await pause()
    stage.sandbox.openDispute(chargeOf(there, intent))
    const events = eventsAbout(there, intent.paymentIntentId).filter(({ type }) =>
      type.startsWith('charge.dispute'),
    )
    assert(events.length > 0)
    for (const event of events) assertPaused(await deliver(there, event))
    const untouched = { balance: 50_00n, debt: 0n, isActive: true }
    assert.deepEqual(await walletOf(there), untouched)
    await resume()
    for (const event of events) assert.equal((await deliver(there, event)).statusCode, 200)
    assert.deepEqual(await walletOf(there), { balance: 0n, debt: 0n, isActive: false })
  })
})
