import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { pendingOf } from '../../test/pending.ts'
import type { Pending } from './pending.ts'
import { Queue } from './queue.ts'

const walletsOf = (batch: readonly Pending[]) => batch.map(({ request }) => request.walletId)

/** The operations of lanes and callers on a queue, in any order. */
const history = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.constant('add'), fc.nat(2), fc.nat(3)) },
    { weight: 3, arbitrary: fc.tuple(fc.constant('take'), fc.integer({ min: 1, max: 6 })) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('join'), fc.nat(5), fc.nat(6)) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('finish'), fc.nat(5)) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('lose'), fc.nat(5)) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('expire'), fc.nat(20)) },
  ),
  { maxLength: 60, size: 'max' },
)

describe('any sequence of arrivals, batches, late joiners, lost connections and expired requests', () => {
  it('loses and duplicates no request, keeps the order within a wallet, and counts the requests correctly', () => {
    fc.assert(
      fc.property(history, (steps) => {
        const model = new Model()
        for (const [step, first, second = 0] of steps as [string, number, number?][]) {
          if (step === 'add') model.add(first, BigInt(second))
          else if (step === 'take') model.take(first)
          else if (step === 'join') model.join(first, second)
          else if (step === 'expire') model.expire(first)
          else model.end(first, step === 'finish')
        }
        model.drain()
      }),
      { numRuns: 2_000 },
    )
  })
})

/** The waiting requests in order of arrival, and the batches that lanes have taken. */
class Model {
  readonly queue = new Queue(40)
  waiting: Pending[] = []
  readonly batches: Pending[][] = []

  add(scope: number, walletId: bigint) {
    const pending = pendingOf(scope, walletId)
    if (this.queue.add(pending)) this.waiting.push(pending)
    this.#check()
  }

  take(most: number) {
    const busy = new Set(this.batches.flatMap(walletsOf))
    const free = this.waiting.filter(({ request }) => !busy.has(request.walletId))
    const batch = this.queue.take(most)
    assert.equal(batch.length, Math.min(most, free.length))
    for (const pending of batch) {
      const { scope, walletId } = pending.request
      const next = free.find(
        ({ request }) => request.scope === scope && request.walletId === walletId,
      )
      assert.equal(pending, next, 'the oldest request of its app for its wallet')
      free.splice(free.indexOf(pending), 1)
    }
    this.waiting = this.waiting.filter((each) => !batch.includes(each))
    if (batch.length > 0) this.batches.push(batch)
    this.#check()
  }

  /** Requests of an even number may not join, nor those behind them. */
  join(index: number, most: number) {
    const batch = this.batches[index % Math.max(1, this.batches.length)]
    if (batch === undefined) return
    const mayJoin = ({ digest }: Pending['request']) => Number(digest) % 2 === 1
    const blocked = new Set<string>()
    const wallets = new Set(walletsOf(batch))
    const free = this.waiting.filter(({ request }) => {
      const group = `${request.scope} ${request.walletId}`
      if (!mayJoin(request)) blocked.add(group)
      return wallets.has(request.walletId) && !blocked.has(group)
    })
    const joined = this.queue.takeMore(most, wallets, mayJoin)
    assert.equal(joined.length, Math.min(most, free.length))
    for (const [at, pending] of joined.entries()) {
      const { scope, walletId } = pending.request
      const next = free.find(
        (each) =>
          each.request.scope === scope &&
          each.request.walletId === walletId &&
          !joined.slice(0, at).includes(each),
      )
      assert.equal(pending, next, 'the oldest request of its app for its wallet')
    }
    this.waiting = this.waiting.filter((each) => !joined.includes(each))
    batch.push(...joined)
    this.#check()
  }

  /** A batch is executed, or its connection is lost and the requests are put back. */
  end(index: number, isExecuted: boolean) {
    const [batch] = this.batches.splice(index % Math.max(1, this.batches.length), 1)
    if (batch === undefined) return
    if (isExecuted) {
      for (const pending of batch) this.queue.finish(pending)
    } else {
      this.queue.putBack(batch)
      this.waiting = [...this.waiting, ...batch].toSorted((a, b) => a.deadlineMs - b.deadlineMs)
    }
    this.queue.release(walletsOf(batch))
    this.#check()
  }

  expire(index: number) {
    const pending = this.waiting[index % Math.max(1, this.waiting.length)]
    if (pending === undefined) return
    this.queue.remove(pending)
    this.queue.finish(pending)
    this.waiting = this.waiting.filter((each) => each !== pending)
    this.#check()
  }

  drain() {
    while (this.batches.length > 0) this.end(0, true)
    while (this.waiting.length > 0) {
      this.take(5)
      this.end(0, true)
    }
    assert.equal(this.queue.size, 0)
    assert.deepEqual(this.queue.take(10), [])
  }

  #check() {
    assert.equal(this.queue.size, this.waiting.length + this.batches.flat().length)
  }
}
