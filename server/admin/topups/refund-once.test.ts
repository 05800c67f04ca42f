/** A refund happens once, even if several operators request it repeatedly. */
import { readTopup, refundTopup as endpoint } from '@coffer/contract/admin/topups'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { askAs, auditOf } from '../../test/admin-setup.ts'
import {
  openAdminTopupSetup,
  withTopup,
  type AdminTopupSetup,
} from '../../test/admin-topup-setup.ts'
import { assertRefusal, type Fields } from '../../test/setup.ts'
import { assertBooks, chargeOf, sweepNow } from '../../test/topup-setup.ts'

const REFUND = 'POST /v1/refunds'

describe('a refund by an operator', () => {
  let setup: AdminTopupSetup
  before(async () => {
    setup = await openAdminTopupSetup()
  })
  after(async () => {
    await assertBooks(setup)
    await setup.close()
  })

  const inputOf = (topupId: string, amount: number) => ({
    refundId: randomUUID(),
    topupId,
    amount,
    reason: 'Paid twice, ticket 4711',
  })
  const ask = (input: Fields) => askAs(setup, setup.operator, endpoint, input)

  async function refund(input: Fields): Promise<string> {
    const response = await ask(input)
    assert.equal(response.statusCode, 200, response.body)
    return response.json().state
  }

  async function read(id: string) {
    return (await askAs(setup, setup.viewer, readTopup, { id })).json()
  }

  async function assertRefunded(id: string, amount: number) {
    const { refunded, refunds, wallet } = await read(id)
    assert.deepEqual(
      [refunded, refunds.length, refunds[0].state, wallet.balance],
      [amount, 1, 'sent', 20 - amount],
    )
  }

  it('happens once, with one audit entry, for a double click and for twenty concurrent requests', async () => {
    const { id } = await withTopup(setup)
    const input = inputOf(id, 8)
    const states = await Promise.all(Array.from({ length: 20 }, () => refund(input)))
    // A request during the first one may return its current state.
    assert(states.includes('sent'))
    assert(states.every((state) => state === 'sent' || state === 'reserved'))
    await sweepNow(setup)
    await assertRefunded(id, 8)
    assert.equal(await refund(input), 'sent')
    assert.equal((await auditOf(setup, id)).length, 1)
    const refunds = [...setup.sandbox.state.refunds.values()]
    const own = refunds.filter(({ metadata }) => metadata?.['refundId'] === input.refundId)
    assert.equal(own.length, 1)
  })

  it('never exceeds the top-up, also for two operators concurrently', async () => {
    const { id } = await withTopup(setup)
    const pending = Array.from({ length: 10 }, () => ask(inputOf(id, 15)))
    const responses = await Promise.all(pending)
    const done = responses.filter(({ statusCode }) => statusCode === 200)
    assert.equal(done.length, 1)
    for (const response of responses) {
      if (response.statusCode !== 200) assertRefusal(response, endpoint, 'INVALID_AMOUNT')
    }
    await assertRefunded(id, 15)
  })

  it('is "reserved" when the processor does not respond, and is sent once later', async () => {
    const { shop, intent, id } = await withTopup(setup)
    setup.sandbox.faults.status500After = { times: 2, route: REFUND, reset: true }
    const input = inputOf(id, 8)
    assert.equal(await refund(input), 'reserved')
    const { refunds, wallet, refundable } = await read(id)
    assert.deepEqual([refunds[0].state, wallet.balance, refundable], ['reserved', 12, 12])
    assert(Date.parse(refunds[0].nextCheckAt) > Date.now())
    await sweepNow(setup)
    await assertRefunded(id, 8)
    const charge = setup.sandbox.state.charges.get(chargeOf(shop, intent))
    assert.equal(charge?.amount_refunded, 8_00)
  })
})
