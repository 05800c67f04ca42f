import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { runMaintenance } from './run-maintenance.ts'
import { startHarness, type Harness } from './test/harness.ts'

describe('maintenance', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
  })
  after(() => harness.end())

  it('continues with the other tasks if one fails, and logs its name', async () => {
    const { admin, context, logLines } = harness
    await admin.query('alter table directory.link_codes rename to link_codes_away')
    await admin.query(
      `insert into directory.log_in_failures select sha256('x'), 1, now() - interval '1 year'`,
    )
    await runMaintenance(context)
    await admin.query('alter table directory.link_codes_away rename to link_codes')
    const failed = logLines.filter((line) => line.includes('maintenance task failed'))
    assert.deepEqual(
      failed.map((line) => JSON.parse(line).task),
      ['prune link_codes'],
    )
    const { rowCount } = await admin.query('select from directory.log_in_failures')
    assert.equal(rowCount, 0)
  })
})
