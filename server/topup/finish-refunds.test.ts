import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  assertBooks,
  openTopupStage,
  rowOf,
  topUp,
  wakeSweeper,
  walletOf,
  withNewUser,
  type TopupStage,
} from '../test/topup-setup.ts'
import { refundTopup } from './refund-topup.ts'
import { sweep } from './sweep.ts'

const REFUND = 'POST /v1/refunds'

describe('refunds that stopped half-way', () => {
  let stage: TopupStage
  before(async () => {
    stage = await openTopupStage()
  })
  after(async () => {
    await assertBooks(stage)
    await stage.close()
  })

  async function begin(count: number) {
    stage.sandbox.faults.status500 = { times: 1_000_000, route: REFUND }
    const there = await withNewUser(stage)
    for (let made = 0; made < count; made++) {
      const { id } = await rowOf(there, await topUp(there, 20))
      await assert.rejects(refundTopup(stage.tools, id, 8_00n))
    }
    return there
  }

  /** Those that are reserved: how often they were tried, and how long it is until the next time. */
  async function readReserved() {
    const { rows } = await stage.harness.admin.query<{ checks: string; seconds: number }>(
      `select checks, extract(epoch from next_check_at - now())::float8 as seconds from directory.refunds
        where status = 'reserved'`,
    )
    return rows
  }

  /** As if so much time had passed. The service's own sweeper may take the turn. */
  async function pass(interval: string) {
    await stage.harness.admin.query(
      'update directory.refunds set next_check_at = next_check_at - $1::interval',
      [interval],
    )
    await wakeSweeper(stage, ['finish-refunds'])
    await sweep(stage.tools)
    await sleep(100)
    return readReserved()
  }

  async function untilNoneIsReserved() {
    while ((await readReserved()).length > 0) await sleep(50)
  }

  it('are tried again after 30 s, then each time after twice as long, up to six hours', async () => {
    const there = await begin(1)
    assert.equal((await pass('20 seconds'))[0]?.checks, '0')
    for (const [tries, pause] of [30, 60, 120, 240, 480].entries()) {
      const [refund] = await pass('6 hours')
      assert.equal(refund?.checks, String(tries + 1))
      assert(refund.seconds > pause - 10 && refund.seconds <= pause, `${refund.seconds}`)
      const [early] = await pass('5 seconds')
      assert.equal(early?.checks, String(tries + 1))
    }
    for (let turn = 0; turn < 8; turn++) await pass('6 hours')
    const [last] = await readReserved()
    assert(last !== undefined && last.seconds > 5.9 * 3600 && last.seconds <= 6 * 3600)
    assert.equal((await walletOf(there)).balance, 12_00n)
    stage.sandbox.resetFaults()
    await pass('6 hours')
    await untilNoneIsReserved()
    assert.equal((await walletOf(there)).balance, 12_00n)
  })

  it('are taken by one process each', async () => {
    await begin(6)
    stage.sandbox.resetFaults()
    const earlier = stage.calls.filter((each) => each === REFUND).length
    await stage.harness.admin.query('update directory.refunds set next_check_at = now()')
    for (let turn = 0; turn < 3; turn++) {
      await wakeSweeper(stage, ['finish-refunds'])
      await Promise.all([sweep(stage.tools), sweep(stage.tools)])
    }
    await untilNoneIsReserved()
    assert.equal(stage.calls.filter((each) => each === REFUND).length - earlier, 6)
  })
})
