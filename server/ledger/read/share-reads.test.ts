import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ReadShares } from './share-reads.ts'

/** Reads that end when the test ends them. */
function openReads(limits = { atOnce: 4, perScope: 3, waitingMax: 10 }) {
  const shares = new ReadShares(limits)
  const started: number[] = []
  const ends: (() => void)[] = []
  const read = (scope: number) =>
    shares.run(scope, () => {
      started.push(scope)
      return new Promise<void>((resolve) => {
        ends.push(resolve)
      })
    })
  async function endFirst() {
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  return { shares, started, read, endFirst }
}

const refused = { code: 'SERVICE_UNAVAILABLE' }

describe('shares of reads', () => {
  it('run at once while there is room, and leave a connection to the others', async () => {
    const { started, read, endFirst } = openReads()
    const reads = [1, 1, 1, 1, 2, 3].map(read)
    await new Promise(setImmediate)
    assert.deepEqual(started, [1, 1, 1, 2])
    for (const _ of reads) await endFirst()
    await Promise.all(reads)
    assert.equal(started.length, 6)
  })

  it('let the scopes take turns, however many reads each has', async () => {
    const { started, read, endFirst } = openReads({ atOnce: 1, perScope: 1, waitingMax: 10 })
    const reads = [1, 1, 1, 1, 2, 2, 3].map(read)
    for (const _ of reads) await endFirst()
    await Promise.all(reads)
    assert.deepEqual(started, [1, 1, 2, 3, 1, 2, 1])
  })

  it('start those of one scope in the order in which they arrived', async () => {
    const shares = new ReadShares({ atOnce: 1, perScope: 1, waitingMax: 10 })
    const started: number[] = []
    const read = (number: number) => shares.run(1, () => Promise.resolve(void started.push(number)))
    await Promise.all([1, 2, 3, 4].map(read))
    assert.deepEqual(started, [1, 2, 3, 4])
  })

  it('refuse reads only of the scope that has too many waiting', async () => {
    const { started, read, endFirst } = openReads({ atOnce: 2, perScope: 1, waitingMax: 2 })
    const reads = [1, 1, 1].map(read)
    await assert.rejects(read(1), refused)
    reads.push(read(2), read(2))
    for (const _ of reads) await endFirst()
    await Promise.all(reads)
    assert.equal(started.length, 5)
  })

  it('continue after a read that fails', async () => {
    const shares = new ReadShares({ atOnce: 1, perScope: 1, waitingMax: 1 })
    const results = await Promise.allSettled([
      shares.run(1, () => Promise.reject(new Error('no connection'))),
      shares.run(1, () => Promise.resolve('read')),
      shares.run(2, () => Promise.resolve('read')),
    ])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'fulfilled', 'fulfilled'],
    )
  })
})
