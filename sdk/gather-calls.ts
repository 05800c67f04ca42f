/**
 * Sends debits and credits that are made at about the same time in one request. Only attempts travel together: send.ts
 * retries each call by itself, and each has its own timeout.
 */
import type { Line } from './check-options.ts'
import { exchange, type Exchange, type Received, type Request } from './exchange.ts'
import { concernsBatchOnly, readBatch } from './read-batch.ts'

const OPERATIONS_MAX = 100
/** A character of JSON has at most three bytes, and the service accepts 512 KiB. */
const CHARACTERS_MAX = 174_000
/** A longer call could exceed the 16 KiB of a single request. It is sent alone to get the response to that. */
const OPERATION_CHARACTERS_MAX = 5_400
/** How long a call waits for others while requests are in flight. */
const GATHER_MS = 4
const REQUESTS_MAX = 4
/** A request that takes longer no longer holds back calls: it may be lost, and other processes may still respond. */
const SLOW_MS = 1_000

interface Waiting {
  wallet: string
  operation: string
  request: Request
  signal: AbortSignal
  isAlone: boolean
  /** The request that it shares, while that is in flight. */
  shared?: Shared
  resolve: (received: Received) => void
  reject: (error: unknown) => void
}

interface Shared {
  calls: readonly Waiting[]
  controller: AbortController
}

export function gatherCalls(line: Line): Exchange {
  const gathering = new Gathering(line)
  return async ({ path, fields }, request, signal) => {
    const type = path.slice(path.lastIndexOf('/') + 1)
    const operation = `{"type":"${type}",${request.body?.slice(1)}`
    const isAlone = operation.length > OPERATION_CHARACTERS_MAX
    const { serviceUserId } = fields
    const wallet = typeof serviceUserId === 'string' ? serviceUserId : ''
    let onTimeout = () => {}
    try {
      return await new Promise<Received>((resolve, reject) => {
        const call = { wallet, operation, request, signal, isAlone, resolve, reject }
        onTimeout = () => gathering.timeOut(call)
        signal.addEventListener('abort', onTimeout)
        gathering.add(call)
      })
    } finally {
      // Otherwise the signal would keep the call in memory until the timeout.
      signal.removeEventListener('abort', onTimeout)
    }
  }
}

class Gathering {
  readonly #line: Line
  /** In the order of the calls. */
  #queue = new Set<Waiting>()
  /** The wallets of the requests in flight: later calls on them wait, so that they do not overtake. */
  readonly #busy = new Set<string>()
  #requests = 0
  #flushes: NodeJS.Immediate | undefined
  #gathers: NodeJS.Timeout | undefined

  constructor(line: Line) {
    this.#line = line
  }

  add(call: Waiting) {
    this.#queue.add(call)
    if (this.#requests === 0) this.#flushSoon()
    else this.#gathers ??= setTimeout(() => this.#flush(), GATHER_MS)
  }

  /** Ends this call only. The request that it shares ends when no call waits for it. */
  timeOut(call: Waiting) {
    const { signal, shared } = call
    const isUnsent = this.#queue.delete(call)
    call.reject(isUnsent ? Object.assign(new Error(), { code: 'NOT_SENT' }) : signal.reason)
    if (shared?.calls.every((each) => each.signal.aborted)) shared.controller.abort()
  }

  /** After the calls that other callbacks of this turn of the event loop make. */
  #flushSoon() {
    this.#flushes ??= setImmediate(() => this.#flush())
  }

  #flush() {
    clearImmediate(this.#flushes)
    clearTimeout(this.#gathers)
    this.#flushes = this.#gathers = undefined
    while (this.#requests < REQUESTS_MAX) {
      const calls = this.#take()
      if (calls.length === 0) return
      void this.#carry(calls)
    }
  }

  /** The calls of the next request. The calls on a wallet keep their order. */
  #take(): Waiting[] {
    const taken: Waiting[] = []
    const passed = new Set(this.#busy)
    let characters = 0
    for (const call of this.#queue) {
      if (passed.has(call.wallet)) continue
      if (call.isAlone && taken.length > 0) {
        passed.add(call.wallet)
        continue
      }
      characters += call.operation.length + 1
      if (characters > CHARACTERS_MAX) break
      taken.push(call)
      if (call.isAlone || taken.length === OPERATIONS_MAX) break
    }
    for (const call of taken) this.#queue.delete(call)
    return taken
  }

  async #carry(calls: Waiting[]) {
    const release = this.#occupy(calls)
    try {
      const [first] = calls
      if (first && calls.length === 1) {
        first.resolve(await exchange(this.#line, first.request, first.signal))
      } else await this.#carryTogether(calls)
    } catch (error) {
      for (const call of calls) call.reject(error)
    }
    release()
  }

  #occupy(calls: readonly Waiting[]): () => void {
    const wallets = new Set(calls.map(({ wallet }) => wallet))
    for (const wallet of wallets) this.#busy.add(wallet)
    this.#requests++
    const slow = AbortSignal.timeout(SLOW_MS)
    let isReleased = false
    const release = () => {
      if (isReleased) return
      isReleased = true
      slow.removeEventListener('abort', release)
      for (const wallet of wallets) this.#busy.delete(wallet)
      this.#requests--
      if (this.#queue.size > 0) this.#flushSoon()
    }
    slow.addEventListener('abort', release)
    return release
  }

  async #carryTogether(calls: Waiting[]) {
    const controller = new AbortController()
    for (const call of calls) call.shared = { calls, controller }
    const { headers } = (calls[0] as Waiting).request
    const body = `{"operations":[${calls.map(({ operation }) => operation).join()}]}`
    const url = `${this.#line.origin}/api/server/wallet/batch`
    const request: Request = { url, method: 'POST', redirect: 'manual', headers, body }
    const received = await exchange(this.#line, request, controller.signal)
    if (concernsBatchOnly(received.response)) this.#separate(calls)
    else {
      for (const [index, each] of readBatch(received, calls.length).entries()) {
        calls[index]?.resolve(each)
      }
    }
  }

  /** Back to the front of the queue, each for a request of its own. */
  #separate(calls: readonly Waiting[]) {
    const waiting = calls.filter(({ signal }) => !signal.aborted)
    for (const call of waiting) {
      call.isAlone = true
      delete call.shared
    }
    this.#queue = new Set([...waiting, ...this.#queue])
    this.#flushSoon()
  }
}
