import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createLoader } from './create-loader.ts'

/** Finds every key except 0 once `finish` was called, and records the keys of each query. */
function start(options: { batchMax: number; concurrency: number }) {
  const queries: number[][] = []
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
  const find = createLoader<number, string>(async (keys) => {
    queries.push(keys)
    await finished
    if (keys.includes(-1)) throw new Error('the query failed')
    return new Map(keys.filter((key) => key !== 0).map((key) => [key, `value ${key}`]))
  }, options)
  return { find, queries, finish }
}

describe('joined lookups', { timeout: 10_000 }, () => {
  it('that arrive during a query form the next one, and get their values without another lookup', async () => {
    const { find, queries, finish } = start({ batchMax: 10, concurrency: 1 })
    const first = find(1)
    await turn()
    const others = [find(2), find(3), find(2)]
    finish()
    assert.equal(await first, 'value 1')
    assert.deepEqual(await Promise.all(others), ['value 2', 'value 3', 'value 2'])
    assert.deepEqual(queries, [[1], [2, 3]])
  })

  it('run as many queries at once as allowed, each for a limited number of keys', async () => {
    const { find, queries, finish } = start({ batchMax: 2, concurrency: 2 })
    const found = [1, 2, 3, 4, 5].map((key) => find(key))
    await turn()
    assert.deepEqual(queries, [
      [1, 2],
      [3, 4],
    ])
    finish()
    assert.equal((await Promise.all(found)).at(-1), 'value 5')
    assert.deepEqual(queries.at(-1), [5])
  })

  it('get nothing for an unknown key, and the error of their own query only', async () => {
    const { find, finish } = start({ batchMax: 1, concurrency: 1 })
    finish()
    const [unknown, failed, later] = await Promise.allSettled([find(0), find(-1), find(1)])
    assert.deepEqual(unknown, { status: 'fulfilled', value: undefined })
    assert.equal(failed.status, 'rejected')
    assert.deepEqual(later, { status: 'fulfilled', value: 'value 1' })
  })
})
