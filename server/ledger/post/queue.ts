/**
 * The queue of requests that wait for a lane. It has a limit and a fair share per scope (client app), and keeps the
 * order within each wallet. A wallet in a running batch is busy; requests for it wait here without blocking other
 * wallets.
 */
import type { DigestedRequest } from './decide-types.ts'
import { gatherMs, type BatchTime } from './queue-limit.ts'
import type { Pending } from './pending.ts'
import { Signal } from './signal.ts'

interface Share {
  scope: number
  count: number
  wallets: Map<bigint, Pending[]>
}

export class Queue {
  /** May change at any time. A lower capacity does not remove requests; see `shed`. */
  capacity: number
  readonly #shares = new Map<number, Share>()
  readonly #busy = new Set<bigint>()
  #size = 0
  #turn = 0
  /** Requests for wallets that are not busy may have arrived. */
  readonly #changed = new Signal()
  #isWakeScheduled = false
  /** While the lanes wait for more requests: how many they wait for, and until when. */
  #gathering: { goal: number; timer: NodeJS.Timeout } | undefined

  constructor(capacity: number) {
    this.capacity = capacity
  }

  get size(): number {
    return this.#size
  }

  /**
   * Returns false, and queues nothing, if the scope has used up its share. A scope may hold at most as many requests as
   * there are free places. So a scope that is alone fills half of the queue, and there is always room for another
   * scope.
   */
  add(pending: Pending): boolean {
    const { scope, walletId } = pending.request
    if (!this.hasRoomFor(scope)) return false
    const share = this.#shareOf(scope)
    const group = share.wallets.get(walletId)
    if (group === undefined) share.wallets.set(walletId, [pending])
    else group.push(pending)
    this.#grow(share, 1)
    if (this.#gathering && this.#size >= this.#gathering.goal) this.#endGathering()
    this.#wakeLanes()
    return true
  }

  hasRoomFor(scope: number): boolean {
    return (this.#shares.get(scope)?.count ?? 0) < this.capacity - this.#size
  }

  /** Puts requests that a lane could not execute back, before the other requests for the same wallets. */
  putBack(pendings: readonly Pending[]): void {
    for (const pending of pendings.toReversed()) {
      const { scope, walletId } = pending.request
      const { wallets } = this.#shareOf(scope)
      wallets.set(walletId, [pending, ...(wallets.get(walletId) ?? [])])
    }
  }

  /** Removes a request whose caller no longer waits. */
  remove(pending: Pending): void {
    const { scope, walletId } = pending.request
    const { wallets } = this.#shareOf(scope)
    const rest = (wallets.get(walletId) ?? []).filter((each) => each !== pending)
    if (rest.length > 0) wallets.set(walletId, rest)
    else wallets.delete(walletId)
  }

  /**
   * If the queue is longer than its capacity, removes the newest requests of scopes that hold more than their share.
   * Requests in doubt stay, because they may have been posted. The requests of a series have the same deadline, so
   * those of a wallet are removed from its end.
   */
  shed(): Pending[] {
    if (this.#size <= this.capacity) return []
    const fair = Math.floor(this.capacity / (this.#shares.size + 1))
    const shed = [...this.#shares.values()].flatMap(({ count, wallets }) =>
      [...wallets.values()]
        .flat()
        .filter((each) => !each.inDoubt)
        .toReversed()
        .toSorted((a, b) => b.deadlineMs - a.deadlineMs)
        .slice(0, Math.max(0, count - fair)),
    )
    for (const pending of shed) this.remove(pending)
    return shed
  }

  /**
   * Frees the place of a request whose caller has its response. Until then the request counts, even while a lane
   * executes it.
   */
  finish(pending: Pending): void {
    this.#grow(this.#shareOf(pending.request.scope), -1)
  }

  /**
   * Waits for requests for wallets that are not busy, and takes a batch of them. `last`: the previous batch of the
   * lane; undefined if it failed.
   */
  async next(most: number, last: BatchTime | undefined): Promise<Pending[]> {
    if (last) this.#gather(most, last)
    for (;;) {
      const batch = this.#gathering ? [] : this.take(most)
      if (batch.length > 0) return batch
      await this.#changed.wait()
    }
  }

  /**
   * Takes a batch of requests for wallets that are not busy: first a fair share per scope, then more from scopes that
   * have more.
   */
  take(most: number): Pending[] {
    const batch = this.#takeFairly(most, (walletId, group) =>
      this.#busy.has(walletId) ? 0 : group.length,
    )
    this.#turn++
    for (const { request } of batch) this.#busy.add(request.walletId)
    return batch
  }

  /**
   * Takes requests that join a running batch: those for its wallets, in order, up to the first one of each wallet that
   * may not join.
   */
  takeMore(
    most: number,
    walletIds: ReadonlySet<bigint>,
    mayJoin: (request: DigestedRequest) => boolean,
  ): Pending[] {
    return this.#takeFairly(most, (walletId, group) => {
      if (!walletIds.has(walletId)) return 0
      const end = group.findIndex(({ request }) => !mayJoin(request))
      return end < 0 ? group.length : end
    })
  }

  release(walletIds: Iterable<bigint>): void {
    for (const walletId of walletIds) this.#busy.delete(walletId)
    this.#wakeLanes()
  }

  /** At the end of this turn of the event loop, so that requests that arrive together share a batch. */
  #wakeLanes() {
    if (!this.#changed.isAwaited || this.#isWakeScheduled || this.#gathering) return
    this.#isWakeScheduled = true
    setImmediate(() => {
      this.#isWakeScheduled = false
      this.#changed.notify()
    })
  }

  /**
   * A batch costs about the same whatever its size, so on a busy service the lanes wait briefly after a batch, until as
   * many requests wait as it had.
   */
  #gather(most: number, last: BatchTime) {
    const goal = Math.min(most, this.#size + last.size)
    const waitMs = this.#size < goal ? gatherMs(last) : 0
    if (waitMs === 0 || this.#gathering) return
    const timer = setTimeout(() => {
      this.#endGathering()
      this.#changed.notify()
    }, waitMs)
    this.#gathering = { goal, timer }
  }

  #endGathering() {
    clearTimeout(this.#gathering?.timer)
    this.#gathering = undefined
  }

  /** `countFrom` returns how many of a wallet's requests, from the oldest on, can be taken. */
  #takeFairly(most: number, countFrom: (walletId: bigint, group: Pending[]) => number): Pending[] {
    const batch: Pending[] = []
    const shares = [...this.#shares.values()].filter((each) => each.wallets.size > 0)
    const start = this.#turn % Math.max(1, shares.length)
    const inTurn = [...shares.slice(start), ...shares.slice(0, start)]
    const takeUpTo = (share: Share, limit: number) => {
      let left = Math.min(limit, most - batch.length)
      for (const [walletId, group] of share.wallets) {
        if (left === 0) return
        const count = Math.min(left, countFrom(walletId, group))
        if (count === 0) continue
        left -= count
        batch.push(...this.#takeGroup(share, walletId, group, count))
      }
    }
    const fair = Math.max(1, Math.floor(most / Math.max(1, shares.length)))
    for (const share of inTurn) takeUpTo(share, fair)
    for (const share of inTurn) takeUpTo(share, most)
    return batch
  }

  #takeGroup(share: Share, walletId: bigint, group: Pending[], most: number): Pending[] {
    const taken = group.splice(0, most)
    share.wallets.delete(walletId)
    // Remaining requests of this wallet go behind the other wallets.
    if (group.length > 0) share.wallets.set(walletId, group)
    return taken
  }

  #shareOf(scope: number): Share {
    let share = this.#shares.get(scope)
    if (share === undefined) {
      share = { scope, count: 0, wallets: new Map() }
      this.#shares.set(scope, share)
    }
    return share
  }

  #grow(share: Share, by: number) {
    share.count += by
    this.#size += by
    if (share.count === 0) this.#shares.delete(share.scope)
  }
}
