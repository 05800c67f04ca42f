import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  assertBooks,
  chargeOf,
  openTopupSetup,
  rowOf,
  sweep,
  sweepNow,
  topUp,
  walletOf,
  withNewUser,
  type TopupSetup,
} from '../test/topup-setup.ts'
import { deliver, eventsAbout } from '../test/webhooks.ts'
import { refundTopup } from './refund-topup.ts'

const REFUND = 'POST /v1/refunds'

describe('unfinished refunds', () => {
  let setup: TopupSetup
  before(async () => {
    setup = await openTopupSetup()
  })
  after(async () => {
    await assertBooks(setup)
    await setup.close()
  })

  async function begin(count: number) {
    setup.sandbox.faults.status500 = { times: 1_000_000, route: REFUND }
    const shop = await withNewUser(setup)
    for (let made = 0; made < count; made++) {
      const { id } = await rowOf(shop, await topUp(shop, 20))
      await assert.rejects(refundTopup(setup.tools, id, 8_00n))
    }
    return shop
  }

  /** The reserved refunds: how often they were tried, and the seconds until the next attempt. */
  async function readReserved() {
    const { rows } = await setup.harness.admin.query<{ checks: string; seconds: number }>(
      `select checks, extract(epoch from next_check_at - now())::float8 as seconds from directory.refunds
        where status = 'reserved'`,
    )
    return rows
  }

  /** Lets this much time pass. */
  async function pass(interval: string) {
    await setup.harness.admin.query(
      'update directory.refunds set next_check_at = next_check_at - $1::interval',
      [interval],
    )
    await sweep(setup.tools, ['finish-refunds'])
    return readReserved()
  }

  async function untilNoneIsReserved() {
    while ((await readReserved()).length > 0) await sleep(50)
  }

  it('are retried after 30 s, then after twice the previous interval, up to six hours', async () => {
    const shop = await begin(1)
    assert.equal((await pass('20 seconds'))[0]?.checks, '0')
    for (const [tries, seconds] of [30, 60, 120, 240, 480].entries()) {
      const [refund] = await pass('6 hours')
      assert.equal(refund?.checks, String(tries + 1))
      assert(refund.seconds > seconds - 10 && refund.seconds <= seconds, `${refund.seconds}`)
      const [early] = await pass('5 seconds')
      assert.equal(early?.checks, String(tries + 1))
    }
    for (let turn = 0; turn < 8; turn++) await pass('6 hours')
    const [last] = await readReserved()
    assert(last !== undefined && last.seconds > 5.9 * 3600 && last.seconds <= 6 * 3600)
    assert.equal((await walletOf(shop)).balance, 12_00n)
    setup.sandbox.resetFaults()
    await pass('6 hours')
    await untilNoneIsReserved()
    assert.equal((await walletOf(shop)).balance, 12_00n)
  })

  it('are each finished by one process', async () => {
    await begin(6)
    setup.sandbox.resetFaults()
    const earlier = setup.calls.filter((each) => each === REFUND).length
    await setup.harness.admin.query('update directory.refunds set next_check_at = now()')
    for (let turn = 0; turn < 3; turn++) {
      await Promise.all([sweep(setup.tools), sweep(setup.tools)])
    }
    await untilNoneIsReserved()
    assert.equal(setup.calls.filter((each) => each === REFUND).length - earlier, 6)
  })
  it('are not sent after the wallet got its money back, even if the process stopped before it recorded that', async () => {
    const { admin } = setup.harness
    const shop = await withNewUser(setup)
    const intent = await topUp(shop, 20)
    const { id } = await rowOf(shop, intent)
    const charge = chargeOf(shop, intent)
    const dispute = setup.sandbox.openDispute(charge, { amount: 1_00 })
    await admin.query(
      `create function public.stop() returns trigger language plpgsql as $$ begin raise exception 'stopped'; end $$;
      create trigger stop before update on directory.refunds for each row when (new.status = 'released')
        execute function public.stop()`,
    )
    await assert.rejects(refundTopup(setup.tools, id, 8_00n), /stopped/)
    await admin.query('drop trigger stop on directory.refunds')
    assert.equal((await readReserved()).length, 1)
    assert.equal((await walletOf(shop)).balance, 20_00n)

    // The processor would accept the refund now.
    setup.sandbox.resolveDispute(dispute.id, 'won')
    const resolved = setup.sandbox.state.disputes.get(dispute.id)
    assert(resolved !== undefined)
    resolved.is_charge_refundable = true
    await sweepNow(setup)
    for (const event of eventsAbout(shop, intent.paymentIntentId)) await deliver(shop, event)
    await untilNoneIsReserved()
    assert.equal(setup.sandbox.state.charges.get(charge)?.amount_refunded, 0)
    assert.deepEqual(await walletOf(shop), { balance: 20_00n, debt: 0n, isActive: true })
  })
})
