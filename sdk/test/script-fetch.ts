/** A client whose network gives the prepared responses in order, on a clock that only moves when something waits. */
import { mock } from 'node:test'
import { createCoffer, type Coffer, type CofferOptions } from '../coffer.ts'
import { addNeighbour, mode, NEIGHBOUR } from './mode.ts'

interface ScriptedResponse {
  status: number
  body?: object | string
  headers?: Record<string, string>
  tookMs?: number
}

/** The response to a call, also if the call is in a batch. */
export type Step =
  | ScriptedResponse
  /** The connection fails. */
  | Error
  /** No response until the timeout. */
  | 'hang'

/** A call in a batch is recorded as if it had been sent alone. */
export interface SentRequest {
  url: string
  method: string
  body: unknown
  headers: Record<string, string>
  redirect: unknown
  /** When it was sent, and how long it may take. */
  atMs: number
  timeoutMs: number
}

export interface ScriptedCoffer {
  coffer: Coffer
  sent: SentRequest[]
  /** The delays between the attempts. */
  pausesMs: number[]
  nowMs: () => number
}

/** Until `mock.restoreAll()`. The last step is repeated. `random` is what Math.random returns. */
export function scriptCoffer(
  steps: Step[],
  { random = 0, ...options }: Partial<CofferOptions> & { random?: number } = {},
): ScriptedCoffer {
  const sent: SentRequest[] = []
  const pausesMs: number[] = []
  const clock = mockClock((delayMs) => pausesMs.push(delayMs))
  mock.method(Math, 'random', () => random)
  const coffer = createCoffer({
    serviceUrl: 'https://wallet.example',
    clientId: 'app_1',
    clientSecret: 'coffer_sk_1',
    batch: mode.batch,
    ...options,
    fetch: async (url, { method, headers, redirect, signal, ...init }) => {
      const { timeoutMs, abort } = clock.takeTimeout(signal)
      const body = 'body' in init ? init.body : undefined
      const operations = readOperations(url, body)
      const alone = operations ? asAlone(url, operations) : { url, body }
      sent.push({ ...alone, method, headers, redirect, atMs: clock.nowMs(), timeoutMs })
      const step = steps.length > 1 ? steps.shift() : steps[0]
      if (step === undefined) throw new Error('No response is prepared')
      if (step instanceof Error) throw step
      if (step === 'hang') {
        clock.wait(timeoutMs)
        abort()
        throw new DOMException('aborted', 'TimeoutError')
      }
      clock.wait(step.tookMs ?? 0)
      const response = operations ? asResults(step, operations.length) : step
      const { status, body: received = {} } = response
      return {
        status,
        headers: new Headers(response.headers ?? {}),
        text: async () => (typeof received === 'string' ? received : JSON.stringify(received)),
      }
    },
  })
  return { coffer: addNeighbour(coffer), sent, pausesMs, nowMs: clock.nowMs }
}

/** Moves only when everything waits. Calls that wait for the same time do so together. */
function mockClock(onPause: (delayMs: number) => void) {
  let clockMs = 1_000
  let timers: { atMs: number; run: () => void }[] = []
  const signals = new Map<AbortSignal, { timeoutMs: number; abort: () => void }>()
  mock.method(performance, 'now', () => clockMs)
  mock.method(globalThis, 'setTimeout', (run: () => void, delayMs: number) => {
    const atMs = clockMs + delayMs
    if (!timers.some((timer) => timer.atMs === atMs)) onPause(delayMs)
    timers.push({ atMs, run })
    setImmediate(() => {
      if (timers.length > 0) clockMs = Math.min(...timers.map((timer) => timer.atMs))
      const due = timers.filter((timer) => timer.atMs <= clockMs)
      timers = timers.filter((timer) => timer.atMs > clockMs)
      for (const timer of due) timer.run()
    })
  })
  mock.method(AbortSignal, 'timeout', (timeoutMs: number) => {
    const controller = new AbortController()
    signals.set(controller.signal, { timeoutMs, abort: () => controller.abort() })
    return controller.signal
  })
  return {
    nowMs: () => clockMs,
    wait: (durationMs: number) => void (clockMs += durationMs),
    /** Of this request, or of the calls in it. */
    takeTimeout(signal: AbortSignal) {
      const own = signals.get(signal)
      const all = own ? [own] : [...signals.values()]
      signals.clear()
      return {
        timeoutMs: all[0]?.timeoutMs ?? NaN,
        abort: () => all.forEach(({ abort }) => abort()),
      }
    },
  }
}

type Operation = { type: string; serviceUserId: string }

function readOperations(url: string, body: unknown): Operation[] | undefined {
  if (!url.endsWith('/api/server/wallet/batch')) return undefined
  return (JSON.parse(String(body)) as { operations: Operation[] }).operations
}

function asAlone(url: string, operations: Operation[]) {
  const { type, ...fields } = operations.find((each) => each.serviceUserId !== NEIGHBOUR) ?? {}
  return { url: url.replace(/batch$/, String(type)), body: JSON.stringify(fields) }
}

function asResults({ status, body, headers = {} }: ScriptedResponse, count: number) {
  const result = {
    ...(typeof body === 'object' && body),
    status,
    idempotencyReplayed: headers['idempotency-replayed'],
    idempotencyMismatch: headers['idempotency-mismatch'],
    retryAfter: headers['retry-after'],
  }
  return { status: 200, headers, body: { results: Array.from({ length: count }, () => result) } }
}

/** A socket error as runtimes wrap it. */
export function connectionError(code: string): Error {
  const cause = Object.assign(new Error('secret address'), { code })
  return new TypeError('fetch failed', { cause })
}
