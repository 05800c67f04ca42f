import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HistoryRequest } from './history-queries.ts'
import { JoinedHistories } from './join-histories.ts'
import { ReadShares } from './share-reads.ts'
import type { Operation } from '../types.ts'

interface Load {
  wallets: bigint[]
  end: () => void
  fail: (error: Error) => void
}

/** Loads that end when the test ends them. The history of a wallet has one operation with its id. */
function openHistories() {
  const shares = new ReadShares({ atOnce: 1, perScope: 1, waitingMax: 40 })
  const loads: Load[] = []
  const load = (requests: HistoryRequest[]) =>
    new Promise<Operation[][]>((resolve, reject) => {
      const wallets = requests.map(({ walletId }) => walletId)
      const histories = wallets.map((walletId) => [{ walletId } as Operation])
      loads.push({ wallets, end: () => resolve(histories), fail: reject })
    })
  const histories = new JoinedHistories(shares, load)
  const read = async (scope: number, walletId: number) => {
    const request = { walletId: BigInt(walletId), upToSeq: 5n, limit: 10 }
    const [operation] = await histories.read(scope, request)
    return Number(operation?.walletId)
  }
  return { shares, loads, read }
}

const nextTurn = () => new Promise(setImmediate)
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)
const sizes = (loads: Load[]) => loads.map(({ wallets }) => wallets.length)

async function endAll(loads: Load[], count: number) {
  for (const index of upTo(count)) {
    loads[index]?.end()
    await nextTurn()
    await nextTurn()
  }
}

describe('joined histories', () => {
  it('share a statement if they are requested together, and each gets its own', async () => {
    const { loads, read } = openHistories()
    const reads = [3, 1, 3, 2].map((walletId) => read(1, walletId))
    await nextTurn()
    assert.deepEqual(sizes(loads), [4])
    await endAll(loads, 1)
    assert.deepEqual(await Promise.all(reads), [3, 1, 3, 2])
  })

  it('join the statement that waits for its turn, up to 64 of them', async () => {
    const { loads, read } = openHistories()
    const reads = [read(1, 0)]
    await nextTurn()
    for (const walletId of upTo(100)) reads.push(read(1, walletId))
    await nextTurn()
    reads.push(read(1, 100))
    await endAll(loads, 3)
    assert.deepEqual(sizes(loads), [1, 64, 37])
    assert.deepEqual(await Promise.all(reads), [0, ...upTo(101)])
  })

  it('are never joined with those of another scope, and the scopes take turns', async () => {
    const { loads, read } = openHistories()
    const reads = [...upTo(130).map(() => read(1, 1)), read(2, 2)]
    await nextTurn()
    await endAll(loads, 4)
    assert.deepEqual(sizes(loads), [64, 64, 1, 2])
    assert.deepEqual(loads[2]?.wallets, [2n])
    await Promise.all(reads)
  })

  it('fail together, and the next ones are read', async () => {
    const { loads, read } = openHistories()
    const failed = [1, 2].map((walletId) => assert.rejects(read(1, walletId), /connection lost/))
    await nextTurn()
    const later = read(1, 3)
    await nextTurn()
    loads[0]?.fail(new Error('connection lost'))
    await Promise.all(failed)
    await nextTurn()
    loads[1]?.end()
    assert.equal(await later, 3)
  })

  it('refuse a scope that has 1024 waiting, and only that one', async () => {
    const { loads, read } = openHistories()
    const reads = upTo(1_024).map((walletId) => read(1, walletId))
    await assert.rejects(read(1, 1), { code: 'SERVICE_UNAVAILABLE' })
    reads.push(read(2, 7))
    await nextTurn()
    await endAll(loads, 17)
    assert.deepEqual(await Promise.all(reads), [...upTo(1_024), 7])
  })

  it('are refused if their turn does not come', async () => {
    const { shares, read } = openHistories()
    const hold = Array.from({ length: 41 }, () => shares.run(1, () => new Promise(() => undefined)))
    const refused = [1, 2].map((walletId) =>
      assert.rejects(read(1, walletId), { code: 'SERVICE_UNAVAILABLE' }),
    )
    await Promise.all(refused)
    assert.equal(hold.length, 41)
  })
})
