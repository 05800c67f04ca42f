import { ADMIN_ENDPOINTS as endpoints } from '@coffer/contract/admin/endpoints'
import { debit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { z } from 'zod'
import { startTrafficWriter } from '../../http/count-traffic.ts'
import { askAs, openAdminSetup, type AdminSetup } from '../../test/admin-setup.ts'
import { completeTotals, blockTotals, post } from '../../test/books-setup.ts'
import { makeClientApp, makeLinkedUser, makeUser } from '../../test/factories.ts'
import { call } from '../../test/setup.ts'

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup({ VERIFY_PERCENT: '0' })
  await blockTotals(setup.harness.admin)
})
after(() => setup.harness.end())

const endpoint = endpoints.readOverview
type Overview = z.output<typeof endpoint.response>

async function read(period: string): Promise<Overview> {
  const response = await askAs(setup, setup.viewer, endpoint, { period })
  assert.equal(response.statusCode, 200, response.body)
  return response.json<Overview>()
}

const last = ({ slots }: Overview) => slots.at(-1) ?? assert.fail()

describe('GET /api/admin/overview', () => {
  it('200 returns every time slot, all empty, in a new deployment', async () => {
    for (const [period, count, step] of [
      ['24h', 24, 'hour'],
      ['7d', 7, 'day'],
      ['30d', 30, 'day'],
      ['90d', 90, 'day'],
    ] as const) {
      const overview = await read(period)
      assert.equal(overview.slots.length, count)
      assert.equal(overview.step, step)
      const times = overview.slots.map(({ at }) => Date.parse(at))
      const gaps = new Set(times.slice(1).map((time, index) => time - (times[index] ?? 0)))
      assert.deepEqual([...gaps], [step === 'hour' ? 3_600_000 : 86_400_000])
      assert((times.at(-1) ?? 0) <= Date.now())
      assert(overview.slots.every(({ debits, p50Ms }) => debits.count === 0 && p50Ms === null))
      assert.deepEqual(
        [overview.walletsTotal, overview.settlements, overview.refusals],
        [0, [], []],
      )
      assert.deepEqual(overview.books, {
        isVerifierEnabled: false,
        balancedAt: null,
        operations: null,
        verifiedAt: null,
        verifiedOperations: null,
        verifiedSoFar: null,
        fault: null,
        faultAt: null,
      })
    }
  })

  it('200 includes new operations immediately, and returns the same figures when they are in the totals', async () => {
    const { context } = setup.harness
    const app = await makeClientApp(context, { name: 'Busy shop' })
    const { walletId } = await makeLinkedUser(context, app, 100_00n)
    await post(setup.harness, 'debit', {
      walletId,
      account: app.ledgerAccount,
      amountMinor: 30_25n,
    })
    await post(setup.harness, 'debit', {
      walletId,
      account: app.ledgerAccount,
      amountMinor: 10_00n,
    })
    await post(setup.harness, 'credit', {
      walletId,
      account: app.ledgerAccount,
      amountMinor: 4_50n,
    })
    await context.ledger.post({
      kind: 'topup',
      referenceType: 'TOPUP',
      referenceId: 'pi_overview',
      walletId,
      amountMinor: 25_00n,
      counterAccount: 1,
      description: null,
    })
    for (let round = 0; round < 2; round++) {
      for (const period of ['24h', '90d']) {
        const overview = await read(period)
        const slot = last(overview)
        assert.deepEqual(
          [slot.debits, slot.credits, slot.topups],
          [
            { count: 2, amount: 40.25 },
            { count: 1, amount: 4.5 },
            { count: 1, amount: 25 },
          ],
        )
        assert.deepEqual(overview.others, [{ kind: 'bonus', count: 1, amount: 100 }])
        assert.equal(overview.walletsTotal, 89.25)
        assert.deepEqual(overview.settlements, [
          {
            clientId: app.clientId,
            name: 'Busy shop',
            debits: { count: 2, amount: 40.25 },
            credits: { count: 1, amount: 4.5 },
            settlement: 35.75,
          },
        ])
      }
      await completeTotals(setup.harness)
    }
  })

  it('200 returns the running balance of the ledger account for an app with a limit', async () => {
    const { context, admin } = setup.harness
    const app = await makeClientApp(context, { name: 'Limited shop', creditLimit: 1_000_00n })
    const { walletId } = await makeUser(context, 50_00n)
    for (let turn = 0; turn < 3; turn++) {
      await post(setup.harness, 'credit', {
        walletId,
        account: app.ledgerAccount,
        amountMinor: 70_00n,
      })
      await post(setup.harness, 'debit', {
        walletId,
        account: app.ledgerAccount,
        amountMinor: 3_33n,
      })
      const { settlements } = await read('7d')
      const { rows } = await admin.query('select balance from ledger.accounts where id = $1', [
        app.ledgerAccount,
      ])
      const shown = settlements.find(({ clientId }) => clientId === app.clientId)
      assert.equal(shown?.settlement, Number(rows[0].balance) / 100)
      if (turn === 1) await completeTotals(setup.harness)
    }
    const [largest] = (await read('7d')).settlements
    assert.equal(largest?.name, 'Limited shop')
  })

  it('200 lists the twenty largest settlements and the number of others', async () => {
    const { context } = setup.harness
    const { walletId } = await makeUser(context, 500_00n)
    for (let count = 0; count < 20; count++) {
      const { ledgerAccount: account } = await makeClientApp(context)
      await post(setup.harness, 'debit', { walletId, account, amountMinor: 1n })
    }
    const { settlements, moreApps } = await read('24h')
    assert.equal(settlements.length, 20)
    assert.equal(moreApps, 2)
    const sizes = settlements.map(({ settlement }) => Math.abs(settlement))
    assert.deepEqual(
      sizes,
      sizes.toSorted((one, other) => other - one),
    )
  })

  it('200 returns requests, refusals by code, failures and percentiles over all processes', async () => {
    const { harness } = setup
    const app = await makeClientApp(harness.context)
    const user = await makeLinkedUser(harness.context, app, 5_00n)
    const pay = (amount: number, referenceId: string) =>
      call({ harness, app, user }, debit, {
        serviceUserId: user.serviceUserId,
        amount,
        referenceType: 'ORDER',
        referenceId,
      })
    const earlier = last(await read('24h'))
    await pay(1, 'one')
    for (const reference of ['two', 'three']) await pay(500, reference)
    await call({ harness, app, user }, debit, { clientSecret: 'wrong' })
    const writer = startTrafficWriter(
      harness.context.db,
      harness.context.metrics.traffic,
      harness.context.log,
    )
    await writer.close()
    const overview = await read('24h')
    const slot = last(overview)
    assert.equal(slot.requests - earlier.requests, 4)
    assert.equal(slot.failed, 0)
    assert(slot.p50Ms !== null && slot.p50Ms > 0 && slot.p99Ms !== null && slot.p99Ms >= slot.p50Ms)
    assert.deepEqual(overview.refusals.slice(0, 2), [
      { code: 'INSUFFICIENT_BALANCE', count: 2 },
      { code: 'INVALID_CLIENT', count: 1 },
    ])
    await harness.admin.query(
      `insert into admin.traffic select hour, 'status', '503', 7 from admin.traffic limit 1`,
    )
    assert.equal(last(await read('24h')).failed, 7)
  })

  it('200 returns top-ups by their start time and outcome', async () => {
    const { context, admin } = setup.harness
    const user = await makeUser(context)
    await admin.query(
      `insert into directory.topups (service_user_id, wallet_id, client_app_id, amount, status, created_at)
       select $1, $2, $3, 500, status, at
       from (values ('open', now()), ('credited', now()), ('credited', now()), ('ended', now()),
         ('credited', now() - interval '3 days')) x(status, at)`,
      [user.id, user.walletId, setup.app.id],
    )
    const overview = await read('7d')
    const { topupsBegun, topupsPaid, topupsEnded } = last(overview)
    assert.deepEqual([topupsBegun, topupsPaid, topupsEnded], [4, 2, 1])
    assert.equal(overview.slots.at(-4)?.topupsPaid, 1)
  })

  it('200 returns the state of the continuous verifier', async () => {
    await setup.harness.admin.query(
      `update books.verification set balanced_at = now(), balanced_operations = 12, fault = 'wallet 7: …', fault_at = now()`,
    )
    const { books } = await read('24h')
    assert.equal(books.operations, 12)
    assert.equal(books.fault, 'wallet 7: …')
    assert(Math.abs(Date.parse(books.faultAt ?? '') - Date.now()) < 60_000)
  })
})
