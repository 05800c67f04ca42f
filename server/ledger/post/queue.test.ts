import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pendingOf } from '../../test/pending.ts'
import type { Pending } from './pending.ts'
import { Queue } from './queue.ts'

/** Adds `count` requests of one scope for one wallet. */
function fill(queue: Queue, scope: number, walletId: bigint, count: number): Pending[] {
  const added = Array.from({ length: count }, () => pendingOf(scope, walletId))
  for (const pending of added) assert.equal(queue.add(pending), true)
  return added
}

const walletsOf = (batch: readonly Pending[]) => batch.map(({ request }) => request.walletId)
const scopesOf = (batch: readonly Pending[]) => batch.map(({ request }) => request.scope)
const countOf = (batch: readonly Pending[], scope: number) =>
  scopesOf(batch).filter((each) => each === scope).length

describe('the order within a wallet', () => {
  it('is the order of arrival, within a batch and across batches', () => {
    const queue = new Queue(100)
    const requests = fill(queue, 1, 7n, 5)
    const first = queue.take(2)
    assert.deepEqual(first, requests.slice(0, 2))
    queue.release([7n])
    assert.deepEqual(queue.take(10), requests.slice(2))
  })

  it('stays the same when a batch is put back, before requests that arrived meanwhile', () => {
    const queue = new Queue(100)
    const [first, second, third] = fill(queue, 1, 7n, 3)
    const batch = queue.take(2)
    const [fourth] = fill(queue, 1, 7n, 1)
    queue.putBack(batch)
    queue.release([7n])
    assert.deepEqual(queue.take(10), [first, second, third, fourth])
  })

  it('stays the same when a batch of several wallets and scopes is put back twice', () => {
    const queue = new Queue(100)
    const added = [1, 2, 1, 2].flatMap((scope) => [
      ...fill(queue, scope, 7n, 1),
      ...fill(queue, scope, 8n, 1),
    ])
    for (let times = 0; times < 2; times++) {
      queue.putBack(queue.take(10))
      queue.release([7n, 8n])
    }
    const taken = queue.take(10)
    assert.equal(taken.length, 8)
    for (const scope of [1, 2]) {
      for (const walletId of [7n, 8n]) {
        const isMine = ({ request }: Pending) =>
          request.scope === scope && request.walletId === walletId
        assert.deepEqual(taken.filter(isMine), added.filter(isMine))
      }
    }
  })
})

describe('a busy wallet', () => {
  it('waits until it is released and does not block other wallets', () => {
    const queue = new Queue(100)
    fill(queue, 1, 7n, 1)
    queue.take(1)
    const [waiting] = fill(queue, 1, 7n, 1)
    const [other] = fill(queue, 1, 8n, 1)
    assert.deepEqual(queue.take(10), [other])
    assert.deepEqual(queue.take(10), [])
    queue.release([8n])
    assert.deepEqual(queue.take(10), [])
    queue.release([7n])
    assert.deepEqual(queue.take(10), [waiting])
  })

  it('is busy for every scope', () => {
    const queue = new Queue(100)
    fill(queue, 1, 7n, 1)
    queue.take(1)
    const [waiting] = fill(queue, 2, 7n, 1)
    assert.deepEqual(queue.take(10), [])
    queue.release([7n])
    assert.deepEqual(queue.take(10), [waiting])
  })

  it('with more requests than fit into a batch queues behind the other wallets', () => {
    const queue = new Queue(100)
    fill(queue, 1, 7n, 5)
    fill(queue, 1, 8n, 2)
    assert.deepEqual(walletsOf(queue.take(3)), [7n, 7n, 7n])
    queue.release([7n])
    assert.deepEqual(walletsOf(queue.take(3)), [8n, 8n, 7n])
  })
})

describe('a batch', () => {
  it('is empty if nothing waits, and never larger than allowed', () => {
    const queue = new Queue(100)
    assert.deepEqual(queue.take(10), [])
    for (let walletId = 1n; walletId <= 4n; walletId++) fill(queue, 1, walletId, 3)
    assert.equal(queue.take(10).length, 10)
    assert.equal(queue.take(10).length, 0)
    queue.release([1n, 2n, 3n, 4n])
    assert.equal(queue.take(10).length, 2)
  })

  it('is shared equally between several flooding apps', () => {
    const queue = new Queue(1_000)
    for (const scope of [1, 2, 3]) fill(queue, scope, BigInt(scope), 60)
    for (let turn = 0; turn < 3; turn++) {
      const batch = queue.take(30)
      assert.deepEqual(
        [1, 2, 3].map((scope) => countOf(batch, scope)),
        [10, 10, 10],
      )
      queue.release([1n, 2n, 3n])
    }
  })

  it('gives the places that other apps leave free to the flooding ones', () => {
    const queue = new Queue(1_000)
    fill(queue, 1, 1n, 50)
    fill(queue, 2, 2n, 2)
    const batch = queue.take(30)
    assert.deepEqual([countOf(batch, 1), countOf(batch, 2)], [28, 2])
  })

  it('takes one request per app if there are more apps than places, and every app gets its turn', () => {
    const queue = new Queue(1_000)
    for (const scope of [1, 2, 3]) fill(queue, scope, BigInt(scope), 10)
    const firsts: number[] = []
    for (let turn = 0; turn < 3; turn++) {
      const scopes = scopesOf(queue.take(2))
      assert.equal(new Set(scopes).size, 2)
      firsts.push(scopes[0] as number)
      queue.release([1n, 2n, 3n])
    }
    assert.deepEqual(firsts, [1, 2, 3])
  })

  it('counts only apps that have a request waiting', () => {
    const queue = new Queue(1_000)
    const [gone] = fill(queue, 1, 1n, 1)
    queue.remove(gone as Pending)
    for (const scope of [2, 3]) fill(queue, scope, BigInt(scope), 3)
    const batch = queue.take(4)
    assert.deepEqual([countOf(batch, 2), countOf(batch, 3)], [2, 2])
  })
})

describe('the limits of the queue', () => {
  it('a single app gets half of it, and another app still finds room', () => {
    const queue = new Queue(10)
    fill(queue, 1, 1n, 5)
    assert.equal(queue.hasRoomFor(1), false)
    assert.equal(queue.add(pendingOf(1, 1n)), false)
    assert.equal(queue.size, 5)
    fill(queue, 2, 2n, 2)
    assert.equal(queue.hasRoomFor(2), true)
    fill(queue, 2, 2n, 1)
    assert.equal(queue.hasRoomFor(2), false)
    assert.equal(queue.hasRoomFor(3), true)
    assert.equal(queue.size, 8)
  })

  it('a single place is enough for one request', () => {
    const queue = new Queue(1)
    fill(queue, 1, 1n, 1)
    assert.equal(queue.hasRoomFor(2), false)
  })

  it('a refused request is not executed', () => {
    const queue = new Queue(2)
    const [accepted] = fill(queue, 1, 1n, 1)
    assert.equal(queue.add(pendingOf(1, 1n)), false)
    assert.deepEqual(queue.take(10), [accepted])
  })

  it('a request counts until it has its response, wherever it is', () => {
    const queue = new Queue(4)
    const [first, second] = fill(queue, 1, 1n, 2) as [Pending, Pending]
    queue.take(2)
    assert.equal(queue.size, 2)
    assert.equal(queue.hasRoomFor(1), false)
    queue.putBack([second])
    assert.equal(queue.size, 2)
    queue.finish(first)
    assert.equal(queue.size, 1)
    assert.equal(queue.hasRoomFor(1), true)
    queue.remove(second)
    queue.finish(second)
    assert.equal(queue.size, 0)
    fill(queue, 1, 1n, 2)
    assert.equal(queue.hasRoomFor(1), false)
  })

  it('a lower capacity refuses new requests and keeps the waiting ones', () => {
    const queue = new Queue(100)
    fill(queue, 1, 1n, 3)
    queue.capacity = 3
    assert.equal(queue.hasRoomFor(2), false)
    assert.equal(queue.take(10).length, 3)
  })
})

describe('removing a request', () => {
  it('removes only this one from its wallet', () => {
    const queue = new Queue(100)
    const [first, second, third] = fill(queue, 1, 1n, 3) as [Pending, Pending, Pending]
    queue.remove(second)
    assert.deepEqual(queue.take(10), [first, third])
  })

  it('that a lane has taken changes nothing', () => {
    const queue = new Queue(100)
    const [first, second] = fill(queue, 1, 1n, 2) as [Pending, Pending]
    assert.deepEqual(queue.take(1), [first])
    queue.remove(first)
    queue.release([1n])
    assert.deepEqual(queue.take(10), [second])
  })
})

describe('shedding', () => {
  it('removes nothing while the queue is within its capacity', () => {
    const queue = new Queue(100)
    fill(queue, 1, 1n, 10)
    assert.deepEqual(queue.shed(), [])
    queue.capacity = 10
    assert.deepEqual(queue.shed(), [])
    assert.equal(queue.take(100).length, 10)
  })

  it('removes the newest requests of the apps that hold more than their share', () => {
    const queue = new Queue(100)
    const old = fill(queue, 1, 1n, 15)
    const modest = fill(queue, 2, 2n, 8)
    const late = fill(queue, 1, 3n, 15)
    queue.capacity = 30
    // Two apps and room for a third: ten requests each.
    assert.deepEqual(queue.shed(), [...late.toReversed(), ...old.slice(10).toReversed()])
    assert.deepEqual(new Set(queue.take(100)), new Set([...modest, ...old.slice(0, 10)]))
  })

  it('keeps requests in doubt, and requests that a lane has taken', () => {
    const queue = new Queue(100)
    const [taken] = fill(queue, 1, 1n, 1) as [Pending]
    queue.take(1)
    const [doubtful, other] = fill(queue, 1, 2n, 2) as [Pending, Pending]
    doubtful.inDoubt = true
    queue.capacity = 1
    assert.deepEqual(queue.shed(), [other])
    assert.deepEqual(queue.take(10), [doubtful])
    queue.release([1n])
    queue.putBack([taken])
    assert.deepEqual(queue.take(10), [taken])
  })
})
