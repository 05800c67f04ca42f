import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startHarness, type Harness } from '../test/harness.ts'
import { createPool } from './connect.ts'
import { inSnapshot, inTransaction } from './in-transaction.ts'

describe('a transaction that fails', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
  })
  after(() => harness.end())

  const INSERT = `insert into directory.processor_events (id, type) values ($1, 'test')`
  const READ = 'select id from directory.processor_events order by id'

  it('leaves nothing to the next one on the same pool: no rows, no locks, no error', async () => {
    const db = createPool(harness.databaseUrl, { size: 1, barrier: false })
    const fail = new Error('refused')
    await assert.rejects(
      inTransaction(db, async (tx) => {
        await tx.query(INSERT, ['1'])
        throw fail
      }),
      fail,
    )
    await assert.rejects(
      inSnapshot(db, () => Promise.reject(fail)),
      fail,
    )
    await assert.rejects(
      inTransaction(db, (tx) => tx.query('select 1 / 0')),
      { code: '22012' },
    )
    await inTransaction(db, (tx) => tx.query(INSERT, ['2']))
    const { rows } = await harness.admin.query(READ)
    assert.deepEqual(rows, [{ id: '2' }])
    await db.end()
  })
})
