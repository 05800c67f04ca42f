import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startHarness, type Harness } from '../test/harness.ts'
import { many, one, run, type Statement } from './statement.ts'

let harness: Harness
before(async () => {
  harness = await startHarness()
})
after(() => harness.end())

function listNumbers(upTo: number): Statement<{ isEven: boolean }> {
  return {
    text: 'select n % 2 = 0 as is_even from generate_series(1, $1::int) n',
    values: [upTo],
    read: (row: { is_even: boolean }) => ({ isEven: row.is_even }),
  }
}

describe('a statement', () => {
  it('reads one row, or none', async () => {
    assert.deepEqual(await one(harness.context.db, listNumbers(2)), { isEven: false })
    assert.equal(await one(harness.context.db, listNumbers(0)), undefined)
  })

  it('reads every row in order', async () => {
    const rows = await many(harness.context.db, listNumbers(3))
    assert.deepEqual(rows, [{ isEven: false }, { isEven: true }, { isEven: false }])
  })

  it('returns the number of affected rows', async () => {
    assert.equal(await run(harness.context.db, listNumbers(3)), 3)
    assert.equal(await run(harness.context.db, { text: 'set local lock_timeout = 0' }), 0)
  })
})
