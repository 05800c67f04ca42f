import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeClientApp, makeLinkedUser } from '../test/factories.ts'
import { startHarness, type Harness } from '../test/harness.ts'
import { findLinked } from './link-queries.ts'

/** Fewer rows than autovacuum waits for, so the tables stay without statistics, as after the restore of a dump. */
const USERS = 30

interface Plan {
  'Actual Rows': number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
}

let harness: Harness
before(async () => {
  harness = await startHarness()
})
after(() => harness.end())

describe('findLinked', () => {
  it('looks up each pair by itself, also without statistics', async () => {
    const app = await makeClientApp(harness.context)
    const pairs: bigint[][] = []
    for (let count = 0; count < USERS; count++) {
      const { walletId } = await makeLinkedUser(harness.context, app)
      pairs.push([app.id, walletId])
    }
    const { text, values = [] } = findLinked(pairs)
    const { rows } = await harness.admin.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, buffers, format json) ${text}`,
      values,
    )
    const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? assert.fail('no plan')
    assert.equal(plan['Actual Rows'], USERS)
    const blocks = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    assert(blocks < USERS * 10, `reads ${blocks} blocks`)
  })
})
