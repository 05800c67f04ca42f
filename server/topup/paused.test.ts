/** A payment at the processor while writes are paused is not lost: it is credited when writes resume. */
import { createIntent } from '@coffer/contract/widget/widget'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, afterEach, before, describe, it } from 'node:test'
import { setAppPause } from '../admin/app-pause-queries.ts'
import { WritesPaused } from '../service-error.ts'
import { mintSession } from '../test/shop.ts'
import { movesNothing } from '../test/setup.ts'
import {
  assertBooks,
  begin,
  beginAndPay,
  chargeOf,
  confirm,
  inSession,
  openTopupSetup,
  post,
  rowOf,
  sweep,
  sweepNow,
  topUp,
  walletOf,
  withNewUser,
  type TopupSetup,
} from '../test/topup-setup.ts'
import { deliver, eventOf, eventsAbout } from '../test/webhooks.ts'
import { refundTopup } from './refund-topup.ts'

const PAUSE = { by: 'ada@example.com', reason: 'A test of the pause' }

describe('top-ups while writes are paused', () => {
  let setup: TopupSetup
  before(async () => {
    setup = await openTopupSetup({ FREEZE_ON_DISPUTE: 'true' })
  })
  after(async () => {
    await assertBooks(setup)
    await setup.close()
  })
  const pause = () => setup.tools.ledger.setPause(PAUSE)
  const resume = () => setup.tools.ledger.setPause(null)
  afterEach(resume)

  function assertPaused(response: LightMyRequestResponse) {
    assert.equal(response.statusCode, 503, response.body)
    assert.equal(response.headers['retry-after'], '30')
  }

  async function countTopups() {
    const { rows } = await setup.harness.admin.query<{ count: number }>(
      'select count(*)::int as count from directory.topups',
    )
    return rows[0]?.count
  }

  it('503 SERVICE_UNAVAILABLE for a new intent, which is not created', async () => {
    const session = await mintSession(setup)
    const create = () => post(setup, inSession(createIntent, session), { amount: 20 })
    const { db } = setup.tools
    const earlier = [await countTopups(), setup.calls.length]
    await pause()
    assertPaused(await create())
    await resume()
    await db.query(setAppPause(setup.app.clientId, PAUSE))
    await sleep(500)
    assertPaused(await create())
    assert.deepEqual([await countTopups(), setup.calls.length], earlier)
    await db.query(setAppPause(setup.app.clientId, null))
    await sleep(500)
    assert.equal((await create()).statusCode, 200)
  })

  it('confirm returns processing, and credits the payment once writes resume', async () => {
    const shop = await withNewUser(setup)
    const paid = await beginAndPay(shop, 20)
    const open = await begin(shop, 30)
    await pause()
    await movesNothing(setup.harness.admin, async () => {
      const response = await confirm(shop, paid)
      const { status, balance, amount } = response.json()
      assert.deepEqual([response.statusCode, status, balance, amount], [200, 'processing', 0, 20])
      assert.equal((await confirm(shop, open)).statusCode, 402)
    })
    await resume()
    assert.equal((await confirm(shop, paid)).json().status, 'succeeded')
    await pause()
    const again = (await confirm(shop, paid)).json()
    assert.deepEqual([again.status, again.balance], ['succeeded', 20])
  })

  it('a webhook gets a 503 and credits the payment when it is delivered again', async () => {
    const shop = await withNewUser(setup)
    const intent = await beginAndPay(shop, 25)
    const event = eventOf(shop, 'payment_intent.succeeded', intent.paymentIntentId)
    await pause()
    const { length } = setup.calls
    await movesNothing(setup.harness.admin, async () => {
      for (let round = 0; round < 3; round++) assertPaused(await deliver(shop, event))
    })
    assert.equal(setup.calls.length, length, 'no request to the processor while writes are paused')
    await resume()
    assert.equal((await deliver(shop, event)).statusCode, 200)
    assert.equal((await walletOf(shop)).balance, 25_00n)
  })

  it('the sweeper waits without postponing checks, and credits the payment afterwards', async () => {
    const shop = await withNewUser(setup)
    const intent = await beginAndPay(shop, 15)
    const { admin } = setup.harness
    const due = `update directory.topups set next_check_at = now() where intent_id = $1 returning checks`
    const checks = async () => (await admin.query(due, [intent.paymentIntentId])).rows
    const earlier = await checks()
    await pause()
    for (let round = 0; round < 3; round++) await sweep(setup.tools)
    assert.deepEqual(await checks(), earlier)
    assert.equal((await rowOf(shop, intent)).status, 'open')
    await resume()
    await sweepNow(setup)
    assert.equal((await walletOf(shop)).balance, 15_00n)
  })

  it('a refund is refused before it is recorded, so that the sweeper does not finish it later', async () => {
    const shop = await withNewUser(setup)
    const { id } = await rowOf(shop, await topUp(shop, 40))
    await pause()
    await assert.rejects(refundTopup(setup.tools, id, 10_00n), WritesPaused)
    await resume()
    await sweepNow(setup)
    const { rows } = await setup.harness.admin.query(
      'select id from directory.refunds where topup_id = $1',
      [id],
    )
    assert.deepEqual(rows, [])
    assert.equal((await walletOf(shop)).balance, 40_00n)
  })

  it('a dispute neither debits nor freezes the wallet until writes resume, and then does so once', async () => {
    const shop = await withNewUser(setup)
    const intent = await topUp(shop, 50)
    await pause()
    setup.sandbox.openDispute(chargeOf(shop, intent))
    const events = eventsAbout(shop, intent.paymentIntentId).filter(({ type }) =>
      type.startsWith('charge.dispute'),
    )
    assert(events.length > 0)
    for (const event of events) assertPaused(await deliver(shop, event))
    const untouched = { balance: 50_00n, debt: 0n, isActive: true }
    assert.deepEqual(await walletOf(shop), untouched)
    await resume()
    for (const event of events) assert.equal((await deliver(shop, event)).statusCode, 200)
    assert.deepEqual(await walletOf(shop), { balance: 0n, debt: 0n, isActive: false })
  })
})
