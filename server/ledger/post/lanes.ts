/**
 * Lanes are connections that send batches to the database. Requests that arrive while a batch is being written form
 * the next one. A request whose wallet or allowance is locked by another transaction leaves its batch and goes, in
 * order, to a side lane that waits for the lock.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { clientConfig, isConnectionFailure } from '../../database/connect.ts'
import { ConnectionWatch } from '../../database/watch-connections.ts'
import { ServiceError, WritesPaused } from '../../service-error.ts'
import { CommitInDoubt, refersToEarlier, runBatch, type Held, type LaneClient } from './batch.ts'
import {
  connectLane,
  createLane,
  discard,
  isLockTimeout,
  isBatchRetryable,
  wasDecidedBefore,
  type Lane,
} from './connect-lane.ts'
import type { DigestedRequest } from './decide-types.ts'
import { gatherMs, type BatchTime } from './pace.ts'
import { lacksStandby } from './standby-queries.ts'
import type { Pending, Queue } from './queue.ts'
import type { Outcome } from '../types.ts'

export interface LanesOptions {
  databaseUrl: string
  queue: Queue
  lanes: number
  sideLanes: number
  batchMax: number
  requiresStandby: boolean
  onSettled: (pending: Pending) => void
  onBatch: (batch: BatchTime) => void
  onError: (message: string, error: unknown) => void
}

/** After a repeated request, the next batches of its lane probably contain more of them. */
const LOOK_UPS = 100

export class Lanes {
  readonly #options: LanesOptions
  readonly #free: Lane[]
  readonly #freeSide: Lane[]
  /**
   * Locks that other transactions hold, in order, with the requests that wait for them, also while a side lane executes
   * these. A wallet stays busy until no entry has a request for it.
   */
  readonly #contended = new Map<string, Pending[]>()
  /** Locks that a side lane is waiting for. */
  readonly #waitedFor = new Set<string>()
  readonly #watch: ConnectionWatch
  #isScheduled = false
  /** While the lane waits for more requests: how many it waits for, and until when. */
  #gathering: { goal: number; timer: NodeJS.Timeout } | undefined

  constructor(options: LanesOptions) {
    this.#options = options
    this.#watch = new ConnectionWatch(clientConfig(options.databaseUrl))
    this.#free = Array.from({ length: options.lanes }, () => createLane(false))
    this.#freeSide = Array.from({ length: options.sideLanes }, () => createLane(true))
  }

  /** Waits for the end of the event loop turn, so that requests that arrive together share a batch. */
  wake() {
    if (this.#gathering && this.#options.queue.size >= this.#gathering.goal) this.#stopGathering()
    if (this.#isScheduled || this.#free.length === 0) return
    this.#isScheduled = true
    setImmediate(() => this.#pump())
  }

  get hasSilentConnection(): boolean {
    return this.#watch.hasSilent
  }

  async close() {
    // No caller waits for the requests of a lane that is still working; it ends with the process.
    const lanes = [...this.#free, ...this.#freeSide]
    await Promise.all(lanes.map(async (lane) => lane.client?.end()))
  }

  /** A batch costs about the same whatever its size, so on a busy service a lane waits briefly to fill its next one. */
  #pumpSoon(last: BatchTime | undefined) {
    const { queue, batchMax } = this.#options
    const goal = Math.min(batchMax, queue.size + (last?.size ?? 0))
    const waitMs = last && queue.size < goal ? gatherMs(last) : 0
    if (waitMs === 0) return this.#pump()
    this.#isScheduled = true
    this.#gathering = { goal, timer: setTimeout(() => this.#pump(), waitMs) }
  }

  #stopGathering() {
    clearTimeout(this.#gathering?.timer)
    this.#gathering = undefined
    this.#isScheduled = false
  }

  #pump() {
    const { queue, batchMax } = this.#options
    this.#stopGathering()
    for (let lane = this.#free.pop(); lane; lane = this.#free.pop()) {
      const batch = queue.take(batchMax)
      if (batch.length === 0) {
        this.#free.push(lane)
        return
      }
      void this.#carry(lane, batch)
    }
  }

  async #carry(lane: Lane, batch: Pending[]) {
    const { queue } = this.#options
    const walletIds = walletsOf(batch)
    lane.last = undefined
    try {
      for (const [cause, held] of await this.#execute(lane, batch, this.#joinerOf(batch))) {
        for (const walletId of walletsOf(held)) walletIds.delete(walletId)
        this.#contended.set(cause, [...(this.#contended.get(cause) ?? []), ...held])
      }
    } catch (error) {
      await this.#recover(lane, error)
      queue.putBack(batch.filter((each) => !each.settled))
    }
    queue.release(walletIds)
    this.#free.push(lane)
    this.#pumpSide()
    this.#pumpSoon(lane.last)
  }

  /**
   * Adds the requests that arrived while the batch waited for its locks, if they need no other lock. They are executed
   * with the batch, or put back or split with it.
   */
  #joinerOf(batch: Pending[]): () => DigestedRequest[] {
    const walletIds = walletsOf(batch)
    const accounts = new Set(batch.map(({ request }) => request.counterAccount))
    const mayJoin = (request: DigestedRequest) =>
      accounts.has(request.counterAccount) && !refersToEarlier(request)
    return () => {
      const { queue, batchMax } = this.#options
      const joined = queue.takeMore(batchMax - batch.length, walletIds, mayJoin)
      for (const pending of joined) pending.inFlight = true
      batch.push(...joined)
      return joined.map(({ request }) => request)
    }
  }

  #pumpSide() {
    for (const [cause, waiting] of this.#contended) {
      if (this.#waitedFor.has(cause)) continue
      const lane = this.#freeSide.pop()
      if (lane === undefined) return
      void this.#carrySide(lane, cause, waiting)
    }
  }

  async #carrySide(lane: Lane, cause: string, waiting: Pending[]) {
    const batch = waiting.filter((each) => !each.settled)
    this.#waitedFor.add(cause)
    try {
      if (batch.length > 0) await this.#execute(lane, batch)
      this.#endWait(cause, waiting)
    } catch (error) {
      await this.#recover(lane, error)
      // Behind the other locks.
      const all = this.#contended.get(cause) ?? []
      this.#contended.delete(cause)
      this.#contended.set(cause, all)
    }
    this.#waitedFor.delete(cause)
    this.#freeSide.push(lane)
    this.#pumpSide()
    this.#pump()
  }

  /** These requests, the first that wait for the lock, are executed. */
  #endWait(cause: string, executed: readonly Pending[]) {
    const later = this.#contended.get(cause)?.slice(executed.length) ?? []
    if (later.length > 0) this.#contended.set(cause, later)
    else this.#contended.delete(cause)
    const waiting = walletsOf([...this.#contended.values()].flat())
    this.#options.queue.release([...walletsOf(executed)].filter((id) => !waiting.has(id)))
  }

  /**
   * Runs a batch, which grows by the requests that join it. Returns the requests that must wait, by lock. Throws if
   * running the batch again may succeed.
   */
  async #execute(
    lane: Lane,
    batch: Pending[],
    join?: () => DigestedRequest[],
  ): Promise<Map<string, Pending[]>> {
    const startedMs = performance.now()
    try {
      lane.client ??= await connectLane(lane, this.#options, this.#watch)
      // Connecting may take longer than a caller waits; such a request was reported as not executed.
      batch.splice(0, Infinity, ...batch.filter((each) => !each.settled))
      if (batch.length === 0) return new Map()
      for (const pending of batch) pending.inFlight = true
      const outcomes = await this.#runPatiently(lane.client, lane, batch, join)
      lane.failures = 0
      const durationMs = performance.now() - startedMs
      lane.last = { size: batch.length, durationMs, isSide: lane.isSide }
      this.#options.onBatch(lane.last)
      return this.#settleAll(batch, outcomes)
    } catch (error) {
      if (wasDecidedBefore(error) || error instanceof CommitInDoubt) lane.lookUps = LOOK_UPS
      for (const pending of batch) {
        pending.inFlight = false
        if (error instanceof CommitInDoubt) pending.inDoubt = true
      }
      if (isBatchRetryable(error)) throw error
      await lane.client?.query('rollback')
      return this.#split(lane, batch, error)
    }
  }

  /**
   * Other processes usually hold a lock for a few milliseconds, so a lane waits briefly. After a timeout it takes the
   * free wallets and leaves the rest to the side lanes.
   */
  async #runPatiently(
    client: LaneClient,
    lane: Lane,
    batch: readonly Pending[],
    join: (() => DigestedRequest[]) | undefined,
  ) {
    const requestsOf = () => batch.map((each) => each.request)
    const looksUp = join === undefined || lane.lookUps > 0
    lane.lookUps = Math.max(0, lane.lookUps - 1)
    try {
      return await runBatch(client, requestsOf(), { mode: 'wait', looksUp, ...(join && { join }) })
    } catch (error) {
      if (lane.isSide || !isLockTimeout(error)) throw error
      await client.query('rollback')
      // Also those that joined: a lock can be missing when the keys are written.
      return runBatch(client, requestsOf(), { mode: 'free' })
    }
  }

  #settleAll(batch: Pending[], outcomes: (Outcome | Held)[]): Map<string, Pending[]> {
    const held = new Map<string, Pending[]>()
    for (const [index, pending] of batch.entries()) {
      const outcome = outcomes[index] as Outcome | Held
      if (!('heldBy' in outcome)) {
        this.#settle(pending, () => pending.resolve(outcome))
      } else if (outcome.heldBy === 'pause') {
        const error = pending.inDoubt ? new ServiceError('OUTCOME_UNKNOWN') : new WritesPaused()
        this.#settle(pending, () => pending.reject(error))
      } else {
        const { walletId, counterAccount } = pending.request
        const cause =
          outcome.heldBy === 'wallet' ? `wallet ${walletId}` : `account ${counterAccount}`
        pending.inFlight = false
        held.set(cause, [...(held.get(cause) ?? []), pending])
      }
    }
    return held
  }

  /** One request cannot be written. Splits the batch in half until that request is alone and fails alone. */
  async #split(lane: Lane, batch: Pending[], error: unknown): Promise<Map<string, Pending[]>> {
    const [only] = batch
    if (batch.length === 1 && only) {
      this.#settle(only, () => only.reject(error))
      return new Map()
    }
    const middle = batch.length >> 1
    const held = await this.#execute(lane, batch.slice(0, middle))
    for (const [cause, more] of await this.#execute(lane, batch.slice(middle))) {
      held.set(cause, [...(held.get(cause) ?? []), ...more])
    }
    return held
  }

  #settle(pending: Pending, response: () => void) {
    if (pending.settled) return
    pending.settled = true
    this.#options.onSettled(pending)
    response()
  }

  async #recover(lane: Lane, error: unknown) {
    const isBroken = error instanceof CommitInDoubt || isConnectionFailure(error)
    if (isBroken) discard(lane)
    else await lane.client?.query('rollback').catch(() => discard(lane))
    if (!isBroken && !lacksStandby(error)) return
    this.#options.onError('Could not write a batch; retrying', error)
    lane.failures++
    await sleep(Math.min(1000, 25 * 2 ** Math.min(lane.failures, 6)))
  }
}

function walletsOf(batch: readonly Pending[]): Set<bigint> {
  return new Set(batch.map((each) => each.request.walletId))
}
