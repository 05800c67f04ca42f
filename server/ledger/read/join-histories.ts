/**
 * Joins the histories that a scope (a client app) reads at the same time into one statement. Those that arrive while
 * the scope waits for its turn join the waiting statement. There is no timer, so an idle service adds no delay.
 */
import { ServiceError } from '../../service-error.ts'
import type { HistoryRequest } from './history-queries.ts'
import type { ReadShares } from './share-reads.ts'
import type { HistoryEntry } from '../types.ts'

/** Per statement. */
const TOGETHER_MAX = 64
/** Per scope. */
const WAITING_MAX = 1_024

interface Waiting {
  request: HistoryRequest
  resolve: (entries: HistoryEntry[]) => void
  reject: (error: unknown) => void
}

export class JoinedHistories {
  readonly #shares: ReadShares
  readonly #load: (requests: HistoryRequest[]) => Promise<HistoryEntry[][]>
  /** The waiting requests of each scope. One statement reads TOGETHER_MAX of them. */
  readonly #waiting = new Map<number, Waiting[]>()

  constructor(shares: ReadShares, load: (requests: HistoryRequest[]) => Promise<HistoryEntry[][]>) {
    this.#shares = shares
    this.#load = load
  }

  /** Throws SERVICE_UNAVAILABLE as ReadShares does. */
  read(scope: number, request: HistoryRequest): Promise<HistoryEntry[]> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(scope) ?? []
      if (waiting.length >= WAITING_MAX) {
        reject(new ServiceError('SERVICE_UNAVAILABLE'))
        return
      }
      waiting.push({ request, resolve, reject })
      this.#waiting.set(scope, waiting)
      // Histories that are requested in the same turn of the event loop join, too.
      if (waiting.length % TOGETHER_MAX === 1) setImmediate(() => void this.#run(scope))
    })
  }

  async #run(scope: number) {
    let batch: Waiting[] | undefined
    try {
      const histories = await this.#shares.run(scope, () => {
        batch = this.#take(scope)
        return this.#load(batch.map(({ request }) => request))
      })
      for (const [index, { resolve }] of (batch ?? []).entries()) resolve(histories[index] ?? [])
    } catch (error) {
      for (const { reject } of batch ?? this.#take(scope)) reject(error)
    }
  }

  #take(scope: number): Waiting[] {
    const waiting = this.#waiting.get(scope) ?? []
    const batch = waiting.splice(0, TOGETHER_MAX)
    if (waiting.length === 0) this.#waiting.delete(scope)
    return batch
  }
}
