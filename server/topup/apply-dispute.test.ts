import { debit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it, mock } from 'node:test'
import { call, movesNothing } from '../test/setup.ts'
import {
  assertBooks,
  chargeOf,
  openTopupSetup,
  topUp,
  walletOf,
  withNewUser,
  type Intent,
  type TopupSetup,
} from '../test/topup-setup.ts'
import { deliver, eventsAbout } from '../test/webhooks.ts'
import { applyDispute } from './apply-dispute.ts'

describe('a dispute', () => {
  let setup: TopupSetup
  before(async () => {
    setup = await openTopupSetup()
  })
  after(() => setup.close())

  /** Delivers every event of a payment to the service, in order. */
  async function deliverAll(shop: TopupSetup, { paymentIntentId }: Intent) {
    for (const event of eventsAbout(shop, paymentIntentId)) {
      assert.equal((await deliver(shop, event)).statusCode, 200)
    }
  }

  async function spend(shop: TopupSetup, amount: number) {
    const pair = { referenceType: 'ORDER', referenceId: randomUUID() }
    const { serviceUserId } = shop.user
    const response = await call(shop, debit, { serviceUserId, amount, ...pair })
    assert.equal(response.statusCode, 200, response.body)
  }

  async function feesOf(source: string) {
    const { rows } = await setup.harness.admin.query<{ amount: string }>(
      'select amount from directory.processor_fees where source = $1 order by amount',
      [source],
    )
    return rows.map(({ amount }) => Number(amount))
  }

  const active = { isActive: true }

  it('debits the balance, records the rest as debt, and returns all of it once when it is won', async () => {
    const shop = await withNewUser(setup)
    const intent = await topUp(shop, 50)
    await spend(shop, 30)
    const { id } = setup.sandbox.openDispute(chargeOf(shop, intent))
    await deliverAll(shop, intent)
    assert.deepEqual(await walletOf(shop), { balance: 0n, debt: 30_00n, ...active })
    assert.deepEqual(await feesOf(id), [1500])
    await assertBooks(setup)
    // A later top-up pays the debt first.
    await topUp(shop, 40)
    assert.deepEqual(await walletOf(shop), { balance: 10_00n, debt: 0n, ...active })
    setup.sandbox.resolveDispute(id, 'won')
    await deliverAll(shop, intent)
    assert.deepEqual(await walletOf(shop), { balance: 60_00n, debt: 0n, ...active })
    await movesNothing(setup.harness.admin, () => deliverAll(shop, intent))
    assert.deepEqual(await feesOf(id), [0, 1500])
    await assertBooks(setup)
  })

  it('of which the processor withdraws only a part debits that part', async () => {
    const shop = await withNewUser(setup)
    const intent = await topUp(shop, 20)
    const { id } = setup.sandbox.openDispute(chargeOf(shop, intent))
    const movement = setup.sandbox.state.disputes.get(id)?.balance_transactions[0]
    assert(movement !== undefined)
    Object.assign(movement, { amount: -600 })
    await deliverAll(shop, intent)
    assert.deepEqual(await walletOf(shop), { balance: 14_00n, debt: 0n, ...active })
    await assertBooks(setup)
  })

  it('that is only an inquiry moves no money until it becomes a chargeback', async () => {
    const shop = await withNewUser(setup)
    const closed = await topUp(shop, 20)
    const first = setup.sandbox.openDispute(chargeOf(shop, closed), { isInquiry: true })
    const escalated = await topUp(shop, 20)
    const second = setup.sandbox.openDispute(chargeOf(shop, escalated), { isInquiry: true })
    await movesNothing(setup.harness.admin, async () => {
      await deliverAll(shop, closed)
      await deliverAll(shop, escalated)
      setup.sandbox.resolveDispute(first.id, 'warning_closed')
      await deliverAll(shop, closed)
    })
    setup.sandbox.resolveDispute(second.id, 'escalated')
    await deliverAll(shop, escalated)
    assert.deepEqual(await walletOf(shop), { balance: 20_00n, debt: 0n, ...active })
    await assertBooks(setup)
  })

  it('is booked in the currency of the service when the balance at the processor has another', async () => {
    const shop = await withNewUser(setup)
    const intent = await topUp(shop, 20)
    const { id } = setup.sandbox.openDispute(chargeOf(shop, intent))
    const movement = setup.sandbox.state.disputes.get(id)?.balance_transactions[0]
    assert(movement !== undefined)
    Object.assign(movement, { amount: -1834, fee: 1375, currency: 'eur' })
    await deliverAll(shop, intent)
    assert.deepEqual(await walletOf(shop), { balance: 0n, debt: 0n, ...active })
    const { rows } = await setup.harness.admin.query(
      'select amount, currency from directory.processor_fees where source = $1',
      [id],
    )
    assert.deepEqual(rows, [{ amount: '1375', currency: 'EUR' }])
    Object.assign(movement, { amount: -2000, currency: 'usd' })
  })

  it('keeps its newest state if an older response of the processor arrives last', async () => {
    const shop = await withNewUser(setup)
    const intent = await topUp(shop, 20)
    const { id } = setup.sandbox.openDispute(chargeOf(shop, intent))
    const { disputes } = setup.tools.processor.stripe
    const retrieve = disputes.retrieve.bind(disputes)
    const [read, arrival] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    async function retrieveSlowly(disputeId: string) {
      const dispute = await retrieve(disputeId)
      read.resolve()
      await arrival.promise
      return dispute
    }
    mock.method(disputes, 'retrieve', retrieveSlowly, { times: 1 })
    const older = applyDispute(setup.tools, id)
    await read.promise
    setup.sandbox.resolveDispute(id, 'lost')
    await applyDispute(setup.tools, id)
    arrival.resolve()
    await older
    const sql = 'select status from directory.disputes where id = $1'
    const { rows } = await setup.harness.admin.query(sql, [id])
    assert.deepEqual(rows, [{ status: 'lost' }])
  })
})
