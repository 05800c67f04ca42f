import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { connectAdmin, startHarness, type Harness } from '../test/harness.ts'
import { prune } from './prune.ts'

describe('prune', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
  })
  after(() => harness.end())

  const expired = {
    table: 'directory.processor_events',
    where: `received_at < now() - interval '60 days'`,
  }

  async function addEvents(rows: number, age: string) {
    await harness.admin.query(
      `insert into directory.processor_events (id, type, received_at)
       select gen_random_uuid()::text, 'test', now() - $2::interval from generate_series(1, $1::int)`,
      [rows, age],
    )
  }

  const count = async () =>
    (await harness.admin.query('select from directory.processor_events')).rows.length

  it('deletes all expired rows, a portion per statement, and no other row', async () => {
    const { db } = harness.context
    await addEvents(25, '61 days')
    await addEvents(5, '59 days')
    const sizes: number[] = []
    const query = db.query.bind(db) as (statement: pg.QueryConfig) => Promise<pg.QueryResult>
    db.query = (async (statement: pg.QueryConfig) => {
      const result = await query(statement)
      if (statement.text.includes(expired.table)) sizes.push(result.rowCount ?? 0)
      return result
    }) as never
    assert.equal(await prune(db, expired, 10), 25)
    db.query = query as never
    assert.deepEqual(sizes, [10, 10, 5])
    assert.equal(await count(), 5)
  })

  it('keeps a row that is extended at the same time, and may run in several processes', async () => {
    const { db } = harness.context
    const kept = await count()
    await addEvents(100, '61 days')
    const other = await connectAdmin(harness.databaseUrl)
    await other.query(
      `begin; update directory.processor_events set received_at = now()
         where id = (select id from directory.processor_events where ${expired.where} limit 1)`,
    )
    const pruned = Promise.all([prune(db, expired, 200), prune(db, expired, 200)])
    await sleep(100)
    await other.query('commit')
    const [first, second] = await pruned
    assert.equal(first + second, 99)
    assert.equal(await count(), kept + 1)
    await other.end()
  })
})
