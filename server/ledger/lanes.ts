/**
 * The lanes that carry batches to the database. Requests that arrive while a batch is being written form the next
 * one. A wallet that somebody else holds leaves its batch and goes, in order, to a side lane that waits for it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { BARRIER, clientConfig, isConnectionFailure } from '../database/connect.ts'
import { CommitInDoubt, runBatch, type LaneClient } from './batch.ts'
import type { Pending, Queue } from './queue.ts'

export interface LanesOptions {
  databaseUrl: string
  queue: Queue
  lanes: number
  sideLanes: number
  batchMax: number
  onSettled: (pending: Pending) => void
  onBatch: (batch: { size: number; durationMs: number }) => void
  onTrouble: (message: string, error: unknown) => void
}

interface Lane {
  mode: 'free' | 'wait'
  client: LaneClient | undefined
  failures: number
}

/** Pairs decided elsewhere, deadlocks, serialization failures and lock time-outs: the same batch may pass next time. */
const RUN_AGAIN = new Set(['CF001', '40P01', '40001', '55P03'])

export class Lanes {
  readonly #options: LanesOptions
  readonly #free: Lane[]
  readonly #freeSide: Lane[]
  /** Contended wallets in their turn, each with the requests that a lane could not execute. */
  readonly #contended = new Map<bigint, Pending[]>()
  #isScheduled = false

  constructor(options: LanesOptions) {
    this.#options = options
    this.#free = Array.from({ length: options.lanes }, () => createLane('free'))
    this.#freeSide = Array.from({ length: options.sideLanes }, () => createLane('wait'))
  }

  /** Requests of the same turn of the event loop share a batch. */
  wake() {
    if (this.#isScheduled || this.#free.length === 0) return
    this.#isScheduled = true
    setImmediate(() => this.#pump())
  }

  async close() {
    const lanes = [...this.#free, ...this.#freeSide]
    await Promise.all(lanes.map(async (lane) => lane.client?.end()))
  }

  #pump() {
    const { queue, batchMax } = this.#options
    this.#isScheduled = false
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
    const walletIds = new Set(batch.map((each) => each.request.walletId))
    try {
      for (const pending of await this.#execute(lane, batch)) {
        const { walletId } = pending.request
        walletIds.delete(walletId)
        pending.inFlight = false
        this.#contended.set(walletId, [...(this.#contended.get(walletId) ?? []), pending])
      }
    } catch (error) {
      await this.#recover(lane, error)
      queue.putBack(batch.filter((each) => !each.settled))
    }
    queue.release(walletIds)
    this.#free.push(lane)
    this.#pumpSide()
    this.#pump()
  }

  #pumpSide() {
    for (const [walletId, waiting] of this.#contended) {
      const lane = this.#freeSide.pop()
      if (lane === undefined) return
      this.#contended.delete(walletId)
      void this.#carrySide(lane, walletId, waiting)
    }
  }

  async #carrySide(lane: Lane, walletId: bigint, waiting: Pending[]) {
    const { queue, batchMax } = this.#options
    const batch = waiting.filter((each) => !each.settled)
    for (const pending of batch) pending.inFlight = true
    batch.push(...queue.takeWallet(walletId, Math.max(0, batchMax - batch.length)))
    try {
      if (batch.length > 0) await this.#execute(lane, batch)
      queue.release([walletId])
    } catch (error) {
      await this.#recover(lane, error)
      const left = batch.filter((each) => !each.settled)
      for (const pending of left) pending.inFlight = false
      if (left.length > 0) this.#contended.set(walletId, left)
      else queue.release([walletId])
    }
    this.#freeSide.push(lane)
    this.#pumpSide()
    this.#pump()
  }

  /** Runs a batch to the end. Returns those whose wallet is held by somebody else; raises what a later run may mend. */
  async #execute(lane: Lane, batch: Pending[]): Promise<Pending[]> {
    const startedMs = performance.now()
    try {
      lane.client ??= await this.#connect(lane)
      const requests = batch.map((each) => each.request)
      const outcomes = await runBatch(lane.client, requests, lane.mode)
      lane.failures = 0
      this.#options.onBatch({ size: batch.length, durationMs: performance.now() - startedMs })
      return batch.filter((pending, index) => {
        const outcome = outcomes[index]
        if (outcome !== undefined) this.#settle(pending, () => pending.resolve(outcome))
        return outcome === undefined
      })
    } catch (error) {
      if (error instanceof CommitInDoubt) for (const pending of batch) pending.inDoubt = true
      if (mayPassLater(error)) throw error
      await lane.client?.query('rollback')
      return this.#split(lane, batch, error)
    }
  }

  /** One of them cannot be written: halve until the culprit stands alone, so that it fails nobody else. */
  async #split(lane: Lane, batch: Pending[], error: unknown): Promise<Pending[]> {
    const [only] = batch
    if (batch.length === 1 && only) {
      this.#settle(only, () => only.reject(error))
      return []
    }
    const middle = batch.length >> 1
    const first = await this.#execute(lane, batch.slice(0, middle))
    return [...first, ...(await this.#execute(lane, batch.slice(middle)))]
  }

  #settle(pending: Pending, answer: () => void) {
    if (pending.settled) return
    pending.settled = true
    this.#options.onSettled(pending)
    answer()
  }

  async #recover(lane: Lane, error: unknown) {
    if (!(error instanceof CommitInDoubt) && !isConnectionFailure(error)) {
      await lane.client?.query('rollback').catch(() => discard(lane))
      return
    }
    this.#options.onTrouble('a batch could not be carried to the database and is run again', error)
    discard(lane)
    lane.failures++
    await sleep(Math.min(1000, 25 * 2 ** Math.min(lane.failures, 6)))
  }

  async #connect(lane: Lane): Promise<LaneClient> {
    const client: LaneClient = new pg.Client({
      ...clientConfig(this.#options.databaseUrl, {
        lock_timeout: '1s',
        idle_in_transaction_session_timeout: '10s',
      }),
      pipeline: true,
    })
    client.on('error', () => {
      if (lane.client === client) lane.client = undefined
    })
    client.on('notice', (notice) => {
      if (notice.severity === 'WARNING') client.warned = true
    })
    await client.connect()
    await client.query(BARRIER)
    return client
  }
}

function createLane(mode: Lane['mode']): Lane {
  return { mode, client: undefined, failures: 0 }
}

function discard(lane: Lane) {
  const { client } = lane
  lane.client = undefined
  client?.end().catch(() => undefined)
}

function mayPassLater(error: unknown): boolean {
  if (error instanceof CommitInDoubt || isConnectionFailure(error)) return true
  return error instanceof pg.DatabaseError && RUN_AGAIN.has(error.code ?? '')
}
