/** Takes requests into the queue, and ends the wait of those that cannot be executed in time. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Overloaded, ServiceError } from '../../service-error.ts'
import { digestPair } from '../digest.ts'
import type { Pace } from './pace.ts'
import type { Pending, Queue } from './queue.ts'
import { type LedgerRequest, type Outcome, scopeOf } from '../types.ts'

export interface AdmissionOptions {
  queue: Queue
  pace: Pace
  /** How long a request may take before it is reported as unavailable or unknown. */
  deadlineMs: number
  /** The queue has a new request. */
  onQueued: () => void
}

const SWEEP_MS = 100

export class Admission {
  readonly #options: AdmissionOptions
  /** In order of arrival, which is the order of deadlines. */
  readonly #waiting = new Set<Pending>()
  /** By scope: requests of series that wait for room in the queue, in order. */
  readonly #outside = new Map<number, Set<Pending>>()
  readonly #sweeper: NodeJS.Timeout
  #isClosing = false

  constructor(options: AdmissionOptions) {
    this.#options = options
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS)
    this.#sweeper.unref()
  }

  post(request: LedgerRequest): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const pending = toPending(request, this.#deadline(), { resolve, reject })
      if (this.#isClosing || !this.#options.queue.add(pending)) {
        reject(new Overloaded('ledger_queue'))
        return
      }
      this.#waiting.add(pending)
      this.#options.onQueued()
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
          const pending = toPending(request, deadlineMs, {
            resolve,
            reject: (error) => {
              reject(error)
              this.#stopAfter(pending, group)
            },
          })
          group.push(pending)
          this.#waiting.add(pending)
          this.#outsideOf(pending).add(pending)
        }),
    )
    this.#letIn()
    return outcomes
  }

  /** Frees the place in the queue of a request whose caller has its response. */
  forget(pending: Pending) {
    this.#leave(pending)
    this.#letIn()
  }

  /** Refuses new requests and waits for the pending ones. */
  async close() {
    this.#isClosing = true
    while (this.#waiting.size > 0) await sleep(10)
    clearInterval(this.#sweeper)
  }

  #leave(pending: Pending) {
    this.#waiting.delete(pending)
    if (!this.#removeOutside(pending)) this.#options.queue.finish(pending)
  }

  #deadline(): number {
    return performance.now() + this.#options.deadlineMs
  }

  /** Lets requests of series into the queue, as far as their scopes have room. */
  #letIn() {
    const { queue, onQueued } = this.#options
    for (const waiting of this.#outside.values()) {
      for (const pending of waiting) {
        if (!queue.add(pending)) break
        this.#removeOutside(pending)
        onQueued()
      }
    }
  }

  #outsideOf({ request: { scope } }: Pending): Set<Pending> {
    let waiting = this.#outside.get(scope)
    if (waiting === undefined) {
      waiting = new Set()
      this.#outside.set(scope, waiting)
    }
    return waiting
  }

  #isOutside(pending: Pending): boolean {
    return this.#outside.get(pending.request.scope)?.has(pending) === true
  }

  /** Whether it was there. */
  #removeOutside(pending: Pending): boolean {
    const { scope } = pending.request
    const waiting = this.#outside.get(scope)
    if (waiting === undefined || !waiting.delete(pending)) return false
    if (waiting.size === 0) this.#outside.delete(scope)
    return true
  }

  /** A request failed, so those behind it on the same wallet must not run. Those in the same batch share its fate. */
  #stopAfter(failed: Pending, group: readonly Pending[]) {
    for (const pending of group.slice(group.indexOf(failed) + 1)) {
      if (!pending.inFlight) this.#giveUp(pending, new ServiceError('EARLIER_OPERATION_FAILED'))
    }
  }

  /** Ends the wait of requests that are past their deadline, or for which the queue has become too long. */
  #sweep() {
    const { queue, pace } = this.#options
    const nowMs = performance.now()
    queue.capacity = pace.roomAt(nowMs)
    for (const pending of queue.shed()) this.#giveUp(pending, new Overloaded('ledger_queue'))
    for (const pending of this.#waiting) {
      if (pending.deadlineMs > nowMs) break
      const isRoom = !this.#isOutside(pending)
      const refusal = isRoom
        ? new ServiceError('SERVICE_UNAVAILABLE')
        : new Overloaded('ledger_queue')
      this.#giveUp(pending, refusal)
    }
    this.#letIn()
  }

  /** A request in a running batch may still be executed, so its outcome is unknown. */
  #giveUp(pending: Pending, refusal: ServiceError) {
    if (pending.settled) return
    pending.settled = true
    if (!pending.inFlight && !this.#isOutside(pending)) this.#options.queue.remove(pending)
    this.#leave(pending)
    const isUnknown = pending.inFlight || pending.inDoubt
    pending.reject(isUnknown ? new ServiceError('OUTCOME_UNKNOWN') : refusal)
  }
}

function toPending(
  request: LedgerRequest,
  deadlineMs: number,
  { resolve, reject }: Pick<Pending, 'resolve' | 'reject'>,
): Pending {
  const scope = scopeOf(request)
  const digest = digestPair(scope, request.referenceType, request.referenceId)
  return {
    request: { ...request, scope, digest },
    resolve,
    reject,
    deadlineMs,
    inFlight: false,
    inDoubt: false,
    settled: false,
  }
}
