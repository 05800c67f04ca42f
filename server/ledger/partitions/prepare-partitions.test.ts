/** A month whose partition cannot be created does not prevent the other months. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeUser } from '../../test/factories.ts'
import { runMaintenance } from '../../run-maintenance.ts'
import { connectAdmin, startHarness, type Harness } from '../../test/harness.ts'
import { addStrays, dropMonths, listPartitions, monthAhead } from '../../test/ledger/partitions.ts'

describe('preparePartitions', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
  })
  after(() => harness.end())

  it('creates the later months although the default partition has a row of the next one', async () => {
    const { admin, context } = harness
    const { walletId } = await makeUser(context, 100n)
    await dropMonths(admin, [1, 2, 3])
    await addStrays(admin, walletId, monthAhead(1), 1)
    const partitions = await context.ledger.preparePartitions()
    assert.deepEqual(
      partitions.missing.map(({ month }) => month),
      [monthAhead(1)],
    )
    assert.equal(partitions.monthsAhead, 0)
    assert.equal(partitions.strayRows, 1)
    assert.deepEqual(await listPartitions(admin), [0, 2, 3].map(monthAhead))
    await admin.query('delete from ledger.operations_default')
    const { missing, monthsAhead, strayRows } = await context.ledger.preparePartitions()
    assert.deepEqual(
      { missing, monthsAhead, strayRows },
      { missing: [], monthsAhead: 3, strayRows: 0 },
    )
  })

  it('gives up soon, and names the month, while a long transaction reads the operations', async () => {
    const { admin, context, databaseUrl } = harness
    await dropMonths(admin, [2])
    const reader = await connectAdmin(databaseUrl)
    await reader.query('begin; select count(*) from ledger.operations')
    const { missing, monthsAhead } = await context.ledger.preparePartitions()
    assert.deepEqual(
      missing.map(({ month }) => month),
      [monthAhead(2)],
    )
    assert.equal(monthsAhead, 1)
    await reader.end()
    assert.equal((await context.ledger.preparePartitions()).monthsAhead, 3)
  })

  it('reports a table with the name of a month that is not a partition', async () => {
    const { admin, context } = harness
    const table = `ledger.operations_${monthAhead(3).replace('-', '_')}`
    await admin.query(`alter table ledger.operations detach partition ${table}`)
    assert.equal((await context.ledger.preparePartitions()).monthsAhead, 2)
    await admin.query(`drop table ${table}`)
    assert.equal((await context.ledger.preparePartitions()).monthsAhead, 3)
  })

  it('lets the service create partitions of this month and the next twelve only', async () => {
    const prepare = (day: string) =>
      harness.context.db.query('select ledger.prepare_partition($1)', [day])
    for (const day of [`${monthAhead(-1)}-01`, `${monthAhead(13)}-01`, `${monthAhead(1)}-02`]) {
      await assert.rejects(prepare(day), /is not the first day/, day)
    }
  })
})

describe('the maintenance of the service', () => {
  it('logs the missing months and exports how many are prepared', async () => {
    const harness = await startHarness()
    const { admin, context } = harness
    const { walletId } = await makeUser(context, 100n)
    await dropMonths(admin, [2])
    await addStrays(admin, walletId, monthAhead(2), 3)
    await runMaintenance(context)
    assert(harness.logLines.some((line) => line.includes(`"month":"${monthAhead(2)}"`)))
    const text = await context.metrics.registry.metrics()
    assert.match(text, /^coffer_ledger_partitions_ahead 1$/m)
    assert.match(text, /^coffer_ledger_default_partition_rows 3$/m)
    await harness.end()
  })
})
