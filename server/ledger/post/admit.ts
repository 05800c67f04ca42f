/** Admits requests to the queue, and ends the wait of those that cannot be executed in time. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Overloaded, ServiceError } from '../../service-error.ts'
import { digestPair } from '../digest.ts'
import type { QueueLimit } from './queue-limit.ts'
import type { Pending } from './pending.ts'
import type { Queue } from './queue.ts'
import { scopeOf } from '../types.ts'
import type { LedgerRequest, Outcome } from '../types.ts'

export interface AdmissionOptions {
  queue: Queue
  queueLimit: QueueLimit
  /** How long a request may take before it is reported as unavailable or unknown. */
  deadlineMs: number
}

const SWEEP_MS = 100

export class Admission {
  readonly #options: AdmissionOptions
  /** In order of arrival, which is the order of deadlines. */
  readonly #waiting = new Set<Pending>()
  /** By scope: requests of series that wait for room in the queue, in order. */
  readonly #withoutRoom = new Map<number, Set<Pending>>()
  readonly #sweeper: NodeJS.Timeout
  #isClosing = false

  constructor(options: AdmissionOptions) {
    this.#options = options
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS)
    this.#sweeper.unref()
  }

  post(request: LedgerRequest): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const pending = this.#create(request, this.#deadline(), { resolve, reject })
      if (this.#isClosing || !this.#options.queue.add(pending)) {
        reject(new Overloaded('ledger_queue'))
      } else {
        this.#waiting.add(pending)
      }
    })
  }

  postSeries(requests: readonly LedgerRequest[]): Promise<Outcome>[] {
    if (this.#isClosing) return requests.map(() => Promise.reject(new Overloaded('ledger_queue')))
    const deadlineMs = this.#deadline()
    const byWallet = new Map<bigint, Pending[]>()
    const outcomes = requests.map(
      (request) =>
        new Promise<Outcome>((resolve, reject) => {
          const group = byWallet.get(request.walletId) ?? []
          byWallet.set(request.walletId, group)
          const pending = this.#create(request, deadlineMs, {
            resolve,
            reject: (error) => {
              reject(error)
              this.#stopAfter(pending, group)
            },
          })
          group.push(pending)
          this.#waiting.add(pending)
          this.#addWithoutRoom(pending)
        }),
    )
    this.#enqueueWaiting()
    return outcomes
  }

  /** Refuses new requests and waits for the pending ones. */
  async close() {
    this.#isClosing = true
    while (this.#waiting.size > 0) await sleep(10)
    clearInterval(this.#sweeper)
  }

  #deadline(): number {
    return performance.now() + this.#options.deadlineMs
  }

  #create(
    request: LedgerRequest,
    deadlineMs: number,
    { resolve, reject }: Pick<Pending, 'resolve' | 'reject'>,
  ): Pending {
    const scope = scopeOf(request)
    const digest = digestPair(scope, request.referenceType, request.referenceId)
    const pending: Pending = {
      request: { ...request, scope, digest },
      deadlineMs,
      resolve: (outcome) => this.#finish(pending, () => resolve(outcome)),
      reject: (error) => this.#finish(pending, () => reject(error)),
      isDone: false,
      inFlight: false,
      inDoubt: false,
    }
    return pending
  }

  #finish(pending: Pending, respond: () => void) {
    if (pending.isDone) return
    pending.isDone = true
    this.#waiting.delete(pending)
    if (!this.#removeWithoutRoom(pending)) this.#options.queue.finish(pending)
    this.#enqueueWaiting()
    respond()
  }

  /** Adds requests of series to the queue, as far as their scopes have room. */
  #enqueueWaiting() {
    for (const waiting of this.#withoutRoom.values()) {
      for (const pending of waiting) {
        if (!this.#options.queue.add(pending)) break
        this.#removeWithoutRoom(pending)
      }
    }
  }

  #addWithoutRoom(pending: Pending) {
    const { scope } = pending.request
    const waiting = this.#withoutRoom.get(scope) ?? new Set()
    this.#withoutRoom.set(scope, waiting.add(pending))
  }

  #isWithoutRoom(pending: Pending): boolean {
    return this.#withoutRoom.get(pending.request.scope)?.has(pending) === true
  }

  /** Whether it was there. */
  #removeWithoutRoom(pending: Pending): boolean {
    const { scope } = pending.request
    const waiting = this.#withoutRoom.get(scope)
    if (waiting === undefined || !waiting.delete(pending)) return false
    if (waiting.size === 0) this.#withoutRoom.delete(scope)
    return true
  }

  /**
   * A request of a series failed, so the later ones for the same wallet must not be executed. Those that are in a
   * running batch end with it.
   */
  #stopAfter(failed: Pending, group: readonly Pending[]) {
    for (const pending of group.slice(group.indexOf(failed) + 1)) {
      if (!pending.inFlight) {
        this.#stopWaiting(pending, new ServiceError('EARLIER_OPERATION_FAILED'))
      }
    }
  }

  /** Ends the wait of requests that are past their deadline, or for which the queue has become too long. */
  #sweep() {
    const { queue, queueLimit } = this.#options
    const nowMs = performance.now()
    queue.capacity = queueLimit.roomAt(nowMs)
    for (const pending of queue.shed()) this.#stopWaiting(pending, new Overloaded('ledger_queue'))
    const late = this.#findLate(nowMs)
    // First, because they enter the queue as soon as another request leaves it.
    for (const pending of late.filter((each) => this.#isWithoutRoom(each))) {
      this.#stopWaiting(pending, new Overloaded('ledger_queue'))
    }
    for (const pending of late) this.#stopWaiting(pending, new ServiceError('SERVICE_UNAVAILABLE'))
    this.#enqueueWaiting()
  }

  #findLate(nowMs: number): Pending[] {
    const late: Pending[] = []
    for (const pending of this.#waiting) {
      if (pending.deadlineMs > nowMs) break
      late.push(pending)
    }
    return late
  }

  /** A request in a running batch may still be executed, so its outcome is unknown. */
  #stopWaiting(pending: Pending, refusal: ServiceError) {
    if (pending.isDone) return
    if (!pending.inFlight && !this.#isWithoutRoom(pending)) this.#options.queue.remove(pending)
    const isUnknown = pending.inFlight || pending.inDoubt
    pending.reject(isUnknown ? new ServiceError('OUTCOME_UNKNOWN') : refusal)
  }
}
