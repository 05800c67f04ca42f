/** However often and by however many it is asked for, a refund happens once. */
import { readTopup, refundTopup as endpoint } from '@coffer/contract/admin/topups'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { askAs, auditOf } from '../../test/admin-setup.ts'
import {
  openAdminTopupStage,
  withTopup,
  type AdminTopupStage,
} from '../../test/admin-topup-setup.ts'
import { assertRefusal, type Fields } from '../../test/setup.ts'
import { assertBooks, chargeOf, sweepNow } from '../../test/topup-setup.ts'

const REFUND = 'POST /v1/refunds'

describe('a refund by an operator', () => {
  let stage: AdminTopupStage
  before(async () => {
    stage = await openAdminTopupStage()
  })
  after(async () => {
    await assertBooks(stage)
    await stage.close()
  })

  const wishOf = (topupId: string, amount: number) => ({
    refundId: randomUUID(),
    topupId,
    amount,
    reason: 'Paid twice, ticket 4711',
  })
  const ask = (wish: Fields) => askAs(stage, stage.operator, endpoint, wish)

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

  it('for a double click and for twenty at once: one refund, one entry in the log', async () => {
    const { id } = await withTopup(stage)
    const wish = wishOf(id, 8)
    const states = await Promise.all(Array.from({ length: 20 }, () => refund(wish)))
    // A request during the first one may get its current state.
    assert(states.includes('sent'))
    assert(states.every((state) => state === 'sent' || state === 'reserved'))
    await sweepNow(stage)
    await assertRefunded(id, 8)
    assert.equal(await refund(wish), 'sent')
    assert.equal((await auditOf(stage, id)).length, 1)
    const refunds = [...stage.sandbox.state.refunds.values()]
    const own = refunds.filter(({ metadata }) => metadata?.['refundId'] === wish.refundId)
    assert.equal(own.length, 1)
  })

  it('two operators at once never give back more than was topped up', async () => {
    const { id } = await withTopup(stage)
    const asked = Array.from({ length: 10 }, () => ask(wishOf(id, 15)))
    const answers = await Promise.all(asked)
    const done = answers.filter(({ statusCode }) => statusCode === 200)
    assert.equal(done.length, 1)
    for (const answer of answers) {
      if (answer.statusCode !== 200) assertRefusal(answer, endpoint, 'INVALID_AMOUNT')
    }
    await assertRefunded(id, 15)
  })

  it('is "reserved" when the processor does not answer; it is sent later by itself, once', async () => {
    const { there, intent, id } = await withTopup(stage)
    stage.sandbox.faults.status500After = { times: 2, route: REFUND, reset: true }
    const wish = wishOf(id, 8)
    assert.equal(await refund(wish), 'reserved')
    const { refunds, wallet, refundable } = await read(id)
    assert.deepEqual([refunds[0].state, wallet.balance, refundable], ['reserved', 12, 12])
    assert(Date.parse(refunds[0].nextCheckAt) > Date.now())
    await sweepNow(stage)
    await assertRefunded(id, 8)
    const charge = stage.sandbox.state.charges.get(chargeOf(there, intent))
    assert.equal(charge?.amount_refunded, 8_00)
  })

  it('asking again after no answer takes it up again at once', async () => {
    const { id } = await withTopup(stage)
    stage.sandbox.faults.timeoutBefore = { times: 2, route: REFUND, reset: true }
    const wish = wishOf(id, 8)
    assert.equal(await refund(wish), 'reserved')
    assert.equal(await refund(wish), 'sent')
    await assertRefunded(id, 8)
    assert.equal((await auditOf(stage, id)).length, 1)
  })
})
