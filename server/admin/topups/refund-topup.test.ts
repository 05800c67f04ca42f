import { readTopup, refundTopup as endpoint } from '@coffer/contract/admin/topups'
import { debit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import * as refusals from '../../test/refusals.ts'
import { askAs, auditOf, openAdminSetup } from '../../test/admin-setup.ts'
import {
  openAdminTopupSetup,
  deliverAll,
  withTopup,
  type AdminTopupSetup,
} from '../../test/admin-topup-setup.ts'
import { connectAdmin } from '../../test/harness.ts'
import { changesNothing, assertRefusal, call, type Fields } from '../../test/setup.ts'
import { assertBooks, begin, chargeOf, rowOf, walletOf } from '../../test/topup-setup.ts'

const REFUND = 'POST /v1/refunds'

describe('POST /api/admin/topups/refund', () => {
  let setup: AdminTopupSetup
  before(async () => {
    setup = await openAdminTopupSetup()
  })
  after(async () => {
    await assertBooks(setup)
    await setup.close()
  })

  const inputOf = (topupId: string, amount: number, refundId = randomUUID()) => ({
    refundId,
    topupId,
    amount,
    reason: 'Paid twice, ticket 4711',
  })
  const anyFields = () => inputOf(randomUUID(), 5)
  const fieldsOf = async () => inputOf((await withTopup(setup)).id, 5)
  const ask = (input: Fields) => askAs(setup, setup.operator, endpoint, input)
  const sent = () => setup.calls.filter((each) => each === REFUND).length

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

  it('200 refunds a part to the card, and the audit log contains the operator and the reason', async () => {
    const { shop, intent, id } = await withTopup(setup)
    const input = inputOf(id, 7.5)
    assert.equal(await refund(input), 'sent')
    await assertRefunded(id, 7.5)
    const shown = await read(id)
    assert.equal(shown.refundable, 12.5)
    const [{ createdAt, processorId, ...listed }] = shown.refunds
    assert(Date.now() - Date.parse(createdAt) < 60_000)
    assert.deepEqual(listed, {
      id: input.refundId,
      state: 'sent',
      amount: 7.5,
      reason: input.reason,
      isMadeAtProcessor: false,
      nextCheckAt: null,
    })
    const atProcessor = setup.sandbox.state.refunds.get(processorId)
    assert.deepEqual([atProcessor?.amount, atProcessor?.charge], [7_50, chargeOf(shop, intent)])
    const [entry, ...others] = await auditOf(setup, id)
    assert.deepEqual(others, [])
    assert.deepEqual([entry?.action, entry?.actor], ['topup.refund', setup.operator.email])
    assert.deepEqual(entry?.before, { refundable: '20.00' })
    assert.deepEqual(entry?.after, {
      refundable: '12.50',
      refundId: input.refundId,
      amount: '7.50',
      reason: input.reason,
    })
  })

  it('200 returns "released" when the processor refuses, and the money is back in the wallet', async () => {
    const { shop, intent, id } = await withTopup(setup)
    setup.sandbox.openDispute(chargeOf(shop, intent), { amount: 1_00 })
    const input = inputOf(id, 5)
    assert.equal(await refund(input), 'released')
    assert.equal(await refund(input), 'released')
    const { refunds, wallet, refundable } = await read(id)
    assert.deepEqual([refunds[0].state, wallet.balance, refundable], ['released', 20, 20])
    const { refundId } = input
    const entries = (await auditOf(setup, id)).map(({ action, after: is }) => [action, is])
    assert.deepEqual(entries.slice(1), [['topup.refund_failed', { refundId, state: 'released' }]])
    await deliverAll(shop, intent)
  })

  it('400 INVALID_AMOUNT above the refundable amount, for an uncredited top-up, and for an invalid amount', async () => {
    const { shop, id } = await withTopup(setup)
    const unpaid = (await rowOf(setup, await begin(shop))).id
    await refund(inputOf(id, 15))
    await changesNothing(setup, async () => {
      const amounts: unknown[] = [5.01, 0, -1, '1e1', 'all', 1.001, undefined, null]
      for (const amount of amounts) {
        const response = await ask({ ...inputOf(id, 5), amount })
        assertRefusal(response, endpoint, 'INVALID_AMOUNT')
      }
      assertRefusal(await ask(inputOf(unpaid, 1)), endpoint, 'INVALID_AMOUNT')
    })
    await assertRefunded(id, 15)
  })

  it('400 INSUFFICIENT_BALANCE when the money is spent, without a request to the processor; a smaller refund works', async () => {
    const { shop, id } = await withTopup(setup)
    const { serviceUserId } = shop.user
    const pair = { referenceType: 'ORDER', referenceId: randomUUID() }
    await call(shop, debit, { serviceUserId, amount: 15, ...pair })
    const earlier = sent()
    const input = inputOf(id, 10)
    for (const _ of [1, 2]) assertRefusal(await ask(input), endpoint, 'INSUFFICIENT_BALANCE')
    assert.equal(sent(), earlier)
    assert.equal((await read(id)).refunds[0].state, 'refused')
    assert.equal(await refund(inputOf(id, 5)), 'sent')
    assert.deepEqual(await walletOf(shop), { balance: 0n, debt: 0n, isActive: true })
  })

  it('400 INVALID_REQUEST for invalid fields and for the id of another refund', async () => {
    await refusals.refusesFields(setup, endpoint, fieldsOf, [
      ['refundId', undefined],
      ['refundId', 'r1'],
      ['topupId', 'x'],
      ['reason', undefined],
      ['reason', '   '],
      ['reason', 'a\u0000b'],
      ['reason', 'x'.repeat(501)],
    ])
    const { id } = await withTopup(setup)
    const other = (await withTopup(setup)).id
    const input = inputOf(id, 5)
    await refund(input)
    for (const changed of [{ amount: 6 }, { topupId: other }]) {
      const response = await ask({ ...input, ...changed })
      assertRefusal(response, endpoint, 'INVALID_REQUEST', 'refundId')
    }
    await assertRefunded(id, 5)
  })

  it('404 NOT_FOUND for an unknown top-up', async () => {
    assertRefusal(await ask(anyFields()), endpoint, 'NOT_FOUND')
  })

  it('502 PAYMENT_PROVIDER_ERROR if no processor is configured', async () => {
    const bare = await openAdminSetup()
    try {
      const response = await askAs(bare, bare.operator, endpoint, anyFields())
      assertRefusal(response, endpoint, 'PAYMENT_PROVIDER_ERROR')
    } finally {
      await bare.harness.end()
    }
  })

  it('503 OUTCOME_UNKNOWN after a timeout; a retry returns the one refund', async () => {
    const { shop, id } = await withTopup(setup)
    const holder = await connectAdmin(setup.harness.databaseUrl)
    const input = inputOf(id, 8)
    await holder.query('begin')
    const lock = 'select from ledger.wallets where id = $1 for update'
    await holder.query(lock, [shop.user.walletId])
    setup.sandbox.faults.delayMs = 4_500
    const pending = ask(input)
    await sleep(6_000)
    await holder.query('rollback')
    await holder.end()
    assertRefusal(await pending, endpoint, 'OUTCOME_UNKNOWN')
    setup.sandbox.resetFaults()
    // The first request is still running, here and at the processor.
    await sleep(3_500)
    assert.equal(await refund(input), 'sent')
    await assertRefunded(id, 8)
  })
})
