/**
 * Lanes are connections that execute batches, one after the other. Requests that arrive while a batch is being written
 * form the next one. A request whose wallet or running balance is locked by another transaction leaves its batch and
 * goes, in order, to a side lane, which waits for the lock.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { clientConfig, isConnectionFailure } from '../../database/connect.ts'
import { ConnectionWatch } from '../../database/watch-connections.ts'
import { ServiceError, WritesPaused } from '../../service-error.ts'
import type { Outcome } from '../types.ts'
import { CommitInDoubt, refersToEarlier, runBatch, type Blocked, type LaneClient } from './batch.ts'
import { BlockedRequests } from './blocked-requests.ts'
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
import type { BatchTime } from './queue-limit.ts'
import { walletsOf, type Pending } from './pending.ts'
import type { Queue } from './queue.ts'
import { lacksStandby } from './standby-queries.ts'

export interface LanesOptions {
  databaseUrl: string
  queue: Queue
  lanes: number
  sideLanes: number
  batchMax: number
  requiresStandby: boolean
  onBatch: (batch: BatchTime) => void
  onError: (message: string, error: unknown) => void
}

/** After a repeated request, the next batches of its lane probably contain more of them. */
const LOOK_UPS = 100

export class Lanes {
  readonly #options: LanesOptions
  readonly #idle = new Set<Lane>()
  readonly #blocked = new BlockedRequests()
  readonly #watch: ConnectionWatch

  constructor(options: LanesOptions) {
    this.#options = options
    this.#watch = new ConnectionWatch(clientConfig(options.databaseUrl))
    for (let count = 0; count < options.lanes; count++) void this.#run(createLane(false))
    for (let count = 0; count < options.sideLanes; count++) void this.#runSide(createLane(true))
  }

  get hasSilentConnection(): boolean {
    return this.#watch.hasSilent
  }

  async close() {
    // No caller waits for the requests of a lane that is still working; it ends with the process.
    await Promise.all([...this.#idle].map(async (lane) => lane.client?.end()))
  }

  async #run(lane: Lane): Promise<never> {
    const { queue, batchMax } = this.#options
    for (;;) {
      this.#idle.add(lane)
      const batch = await queue.next(batchMax, lane.last)
      this.#idle.delete(lane)
      const walletIds = walletsOf(batch)
      lane.last = undefined
      try {
        for (const [lock, blocked] of await this.#execute(lane, batch, this.#joinerOf(batch))) {
          for (const walletId of walletsOf(blocked)) walletIds.delete(walletId)
          this.#blocked.add(lock, blocked)
        }
      } catch (error) {
        await this.#recover(lane, error)
        queue.putBack(batch.filter((each) => !each.isDone))
      }
      queue.release(walletIds)
    }
  }

  async #runSide(lane: Lane): Promise<never> {
    for (;;) {
      this.#idle.add(lane)
      const { lock, requests } = await this.#blocked.next()
      this.#idle.delete(lane)
      const batch = requests.filter((each) => !each.isDone)
      try {
        if (batch.length > 0) await this.#execute(lane, batch)
        this.#options.queue.release(this.#blocked.remove(lock, requests))
      } catch (error) {
        await this.#recover(lane, error)
        this.#blocked.putBack(lock)
      }
    }
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

  /**
   * Executes a batch, which grows by the requests that join it, and responds to their callers. Returns the requests
   * that are blocked, by lock. Throws if running the batch again may succeed.
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
      batch.splice(0, Infinity, ...batch.filter((each) => !each.isDone))
      if (batch.length === 0) return new Map()
      for (const pending of batch) pending.inFlight = true
      const outcomes = await this.#runWithLockTimeout(lane.client, lane, batch, join)
      lane.failures = 0
      const durationMs = performance.now() - startedMs
      lane.last = { size: batch.length, durationMs, isSide: lane.isSide }
      this.#options.onBatch(lane.last)
      return respond(batch, outcomes)
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
   * Other processes usually hold a lock for a few milliseconds, so a lane waits briefly. After the timeout it executes
   * the requests whose locks are free and leaves the others to the side lanes.
   */
  async #runWithLockTimeout(
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
      return runBatch(client, requestsOf(), { mode: 'skip_locked' })
    }
  }

  /** One request cannot be written. Splits the batch in half until that request is alone and fails alone. */
  async #split(lane: Lane, batch: Pending[], error: unknown): Promise<Map<string, Pending[]>> {
    const [only] = batch
    if (batch.length === 1 && only) {
      only.reject(error)
      return new Map()
    }
    const middle = batch.length >> 1
    const blocked = await this.#execute(lane, batch.slice(0, middle))
    for (const [lock, more] of await this.#execute(lane, batch.slice(middle))) {
      blocked.set(lock, [...(blocked.get(lock) ?? []), ...more])
    }
    return blocked
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

/** Responds to the callers of the requests that were executed. Returns the others, by the lock that they need. */
function respond(
  batch: readonly Pending[],
  outcomes: readonly (Outcome | Blocked)[],
): Map<string, Pending[]> {
  const blocked = new Map<string, Pending[]>()
  for (const [index, pending] of batch.entries()) {
    const outcome = outcomes[index] as Outcome | Blocked
    if (!('blockedBy' in outcome)) {
      pending.resolve(outcome)
    } else if (outcome.blockedBy === 'pause') {
      pending.reject(pending.inDoubt ? new ServiceError('OUTCOME_UNKNOWN') : new WritesPaused())
    } else {
      const { walletId, counterAccount } = pending.request
      const lock =
        outcome.blockedBy === 'wallet' ? `wallet ${walletId}` : `account ${counterAccount}`
      pending.inFlight = false
      blocked.set(lock, [...(blocked.get(lock) ?? []), pending])
    }
  }
  return blocked
}
