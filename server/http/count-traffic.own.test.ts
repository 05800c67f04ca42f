import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { call, withCuttableDatabase, openSetup, type Setup } from '../test/setup.ts'
import { debit } from '@coffer/contract/server/wallet'
import { findPercentile } from '../admin/overview/read-overview.ts'
import { createTrafficCounter, startTrafficWriter, pruneTraffic } from './count-traffic.ts'

const silent = { warn: () => undefined }

let setup: Setup
before(async () => {
  setup = await openSetup()
})
after(() => setup.harness.end())

async function readTraffic() {
  const { rows } = await setup.harness.admin.query<{ name: string; count: number }>(
    `select kind || ' ' || value as name, sum(count)::int as count from admin.traffic
     where kind <> 'latency' group by 1 order by 1`,
  )
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

describe('traffic', () => {
  it('is summed over processes, by status and by code', async () => {
    const { db } = setup.harness.context
    const counters = [createTrafficCounter(), createTrafficCounter()]
    for (const counter of counters) {
      counter.count('/api/server/wallet/debit', 200, null, 0.004)
      counter.count('/api/server/wallet/debit', 422, 'INSUFFICIENT_BALANCE', 0.002)
      counter.count('/api/widget/wallet', 500, null, 3)
      // Pages and requests of operators are not counted.
      counter.count('/api/admin/overview', 200, null, 0.05)
      counter.count('/assets/*', 200, null, 0.001)
      counter.count('unknown', 404, 'NOT_FOUND', 0.001)
    }
    const writers = counters.map((counter) => startTrafficWriter(db, counter, silent))
    await Promise.all(writers.map((writer) => writer.write()))
    await Promise.all(writers.map((writer) => writer.close()))
    assert.deepEqual(await readTraffic(), {
      'code INSUFFICIENT_BALANCE': 2,
      'status 200': 2,
      'status 422': 2,
      'status 500': 2,
    })
    const { rows } = await setup.harness.admin.query(
      `select sum(count)::int as count from admin.traffic where kind = 'latency'`,
    )
    assert.equal(rows[0].count, 6)
  })

  it('is counted when a response is sent, and saved when the process stops', async () => {
    const other = await openSetup()
    const { admin } = other.harness
    const fields = { serviceUserId: other.user.serviceUserId, referenceType: 'R', referenceId: '1' }
    await call(other, debit, { ...fields, amount: 1 })
    await call(other, debit, { ...fields, amount: 'much' })
    // The hook that counts runs after the response.
    await sleep(50)
    await other.harness.stop()
    const { rows } = await admin.query(
      `select value, count::int from admin.traffic where kind in ('status', 'code') order by value`,
    )
    assert.deepEqual(rows, [
      { value: '200', count: 1 },
      { value: '400', count: 1 },
      { value: 'INVALID_AMOUNT', count: 1 },
    ])
    await admin.end()
  })

  it('is kept in memory if it cannot be saved, and saved later', async () => {
    await withCuttableDatabase(async ({ harness }, _admin, cut) => {
      const counter = createTrafficCounter()
      const writer = startTrafficWriter(harness.context.db, counter, silent)
      await cut()
      // Once when it is saved and once when the process stops: two errors must not cancel each other out.
      for (const fail of [() => assert.rejects(writer.write()), () => writer.close()]) {
        counter.count('/api/server/wallet/debit', 422, 'INSUFFICIENT_BALANCE', 0.004)
        await fail()
        assert.deepEqual(
          counter.take().map(({ kind, value, count }) => [kind, value, count]),
          [
            ['status', '422', 1],
            ['code', 'INSUFFICIENT_BALANCE', 1],
            ['latency', '6', 1],
          ],
        )
      }
    })
  })

  it('is stored for as long as the overview can show it', async () => {
    const { admin, context } = setup.harness
    await admin.query(
      `insert into admin.traffic values (now() - interval '90 days', 'status', '201', 1),
         (now() - interval '92 days', 'status', '202', 1)`,
    )
    await pruneTraffic(context)
    const traffic = await readTraffic()
    assert.equal(traffic['status 201'], 1)
    assert.equal(traffic['status 202'], undefined)
  })

  it('has percentiles that are exact to an eighth, however long a response takes', () => {
    const counter = createTrafficCounter()
    for (let ms = 1; ms <= 1_000; ms++) counter.count('/api/x', 200, null, ms / 1000)
    const steps = counter
      .take()
      .filter(({ kind }) => kind === 'latency')
      .map(({ value, count }) => ({ step: Number(value), count }))
    for (const [part, ms] of [
      [0.5, 500],
      [0.99, 990],
    ] as const) {
      const found = findPercentile(steps, part) ?? 0
      assert(Math.abs(found - ms) < ms / 8, `${found} instead of ${ms}`)
    }
    counter.count('/api/x', 200, null, 1_000_000)
    counter.count('/api/x', 200, null, 0)
    assert.deepEqual(
      counter.take().flatMap(({ kind, value }) => (kind === 'latency' ? [value] : [])),
      ['0', '42'],
    )
    assert.equal(findPercentile([], 0.5), null)
  })
})
