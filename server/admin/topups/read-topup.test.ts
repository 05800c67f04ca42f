import { listTopups, readTopup as endpoint } from '@coffer/contract/admin/topups'
import { debit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { askAs } from '../../test/admin-setup.ts'
import {
  openAdminTopupSetup,
  deliverAll,
  withTopup,
  type AdminTopupSetup,
} from '../../test/admin-topup-setup.ts'
import { makeLinkedUser } from '../../test/factories.ts'
import { assertRefusal, call } from '../../test/setup.ts'
import { beginAndPay, chargeOf, topUp, type Intent } from '../../test/topup-setup.ts'

describe('GET /api/admin/topups/one', () => {
  let setup: AdminTopupSetup
  before(async () => {
    setup = await openAdminTopupSetup()
  })
  after(() => setup.close())

  async function read(id: string) {
    const response = await askAs(setup, setup.viewer, endpoint, { id })
    assert.equal(response.statusCode, 200, response.body)
    return response.json()
  }

  async function readBy({ paymentIntentId }: Intent) {
    const found = await askAs(setup, setup.viewer, listTopups, { search: paymentIntentId })
    return read(found.json().topups[0].id)
  }

  async function withNewUser(): Promise<AdminTopupSetup> {
    return { ...setup, user: await makeLinkedUser(setup.harness.context, setup.app) }
  }

  async function spend(shop: AdminTopupSetup, amount: number) {
    const pair = { referenceType: 'ORDER', referenceId: randomUUID() }
    const { serviceUserId } = shop.user
    const response = await call(shop, debit, { serviceUserId, amount, ...pair })
    assert.equal(response.statusCode, 200, response.body)
  }

  it('200 returns amount, fee, and when it ended and what reported it, without a request to the processor', async () => {
    const { shop, intent, id } = await withTopup(setup, 50)
    const callCount = setup.calls.length
    const shown = await read(id)
    assert.equal(setup.calls.length, callCount)
    const { createdAt, endedAt, ...others } = shown
    assert(Date.parse(createdAt) <= Date.parse(endedAt))
    assert.deepEqual(others, {
      id,
      state: 'credited',
      amount: 50,
      refunded: 0,
      disputeStatus: null,
      intentId: intent.paymentIntentId,
      isAutomatic: false,
      person: { id: String(shop.user.id), name: 'Ada Example' },
      clientApp: { clientId: setup.app.clientId, name: 'Corner shop' },
      currency: 'USD',
      reportedBy: 'page',
      nextCheckAt: null,
      refusal: null,
      debtPaid: 0,
      refundable: 50,
      wallet: { balance: 50, debt: 0, isActive: true },
      fees: [{ of: 'payment', amount: 1.75, currency: 'USD' }],
      refunds: [],
      disputes: [],
    })
  })

  it('200 returns a debt for a dispute above the balance, and a later top-up pays it off', async () => {
    const { shop, intent, id } = await withTopup(setup, 50)
    await spend(shop, 30)
    const { id: disputeId } = setup.sandbox.openDispute(chargeOf(shop, intent))
    await deliverAll(shop, intent)
    const { disputes, wallet, fees, disputeStatus } = await read(id)
    assert.equal(disputeStatus, 'needs_response')
    assert.deepEqual(wallet, { balance: 0, debt: 30, isActive: true })
    assert.deepEqual(fees.at(-1), { of: 'dispute', amount: 15, currency: 'USD' })
    const [dispute] = disputes
    const { openedAt, respondBy, withdrawn, ...others } = dispute
    assert.deepEqual(others, {
      id: disputeId,
      status: 'needs_response',
      reason: 'fraudulent',
      amount: 50,
      reinstated: [],
    })
    assert.equal(Date.parse(respondBy) - Date.parse(openedAt), 7 * 86_400_000)
    assert.deepEqual(withdrawn, [{ at: withdrawn[0].at, balance: -20, debt: 30 }])
    assert.equal((await readBy(await topUp(shop, 40))).debtPaid, 30)
    setup.sandbox.resolveDispute(disputeId, 'won')
    await deliverAll(shop, intent)
    const [won] = (await read(id)).disputes
    assert.equal(won.status, 'won')
    assert.deepEqual(won.reinstated, [{ at: won.reinstated[0].at, balance: 50, debt: 0 }])
  })

  it('200 ignores an older response of the processor that arrives later', async () => {
    const { shop, intent, id } = await withTopup(setup)
    const { id: disputeId } = setup.sandbox.openDispute(chargeOf(shop, intent))
    await deliverAll(shop, intent)
    setup.sandbox.resolveDispute(disputeId, 'lost')
    await setup.harness.admin.query(
      `update directory.disputes set status = 'won', asked_at = now() + interval '1 hour' where id = $1`,
      [disputeId],
    )
    await deliverAll(shop, intent)
    assert.equal((await read(id)).disputes[0].status, 'won')
    await setup.harness.admin.query(
      `update directory.disputes set asked_at = now() - interval '1 second' where id = $1`,
      [disputeId],
    )
    await setup.harness.admin.query('delete from directory.processor_events')
    await deliverAll(shop, intent)
    assert.equal((await read(id)).disputes[0].status, 'lost')
  })

  it('200 returns the refusal of the ledger for a payment above the maximum balance', async () => {
    const shop = await withNewUser()
    const intent = await beginAndPay(shop)
    await setup.harness.admin.query('update ledger.wallets set balance = $2 where id = $1', [
      shop.user.walletId,
      '999999999999999',
    ])
    await deliverAll(shop, intent)
    const shown = await readBy(intent)
    assert.deepEqual([shown.state, shown.refusal], ['open', 'BALANCE_LIMIT'])
  })

  it('404 NOT_FOUND for an unknown top-up', async () => {
    const response = await askAs(setup, setup.viewer, endpoint, { id: randomUUID() })
    assertRefusal(response, endpoint, 'NOT_FOUND')
  })
})
