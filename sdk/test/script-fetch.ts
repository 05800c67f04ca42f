/** A client whose network gives the prepared responses in order, on a clock that only moves when something waits. */
import { mock } from 'node:test'
import { createCoffer, type Coffer, type CofferOptions } from '../coffer.ts'

export type Step =
  | { status: number; body?: object | string; headers?: Record<string, string>; tookMs?: number }
  /** The connection fails. */
  | Error
  /** No response until the timeout. */
  | 'hang'

export interface SentRequest {
  url: string
  method: string
  body: unknown
  headers: Record<string, string>
  redirect: unknown
  /** How long it may take. */
  timeoutMs: number
}

export interface ScriptedCoffer {
  coffer: Coffer
  sent: SentRequest[]
  /** The delays between the attempts. */
  delaysMs: number[]
}

/** Until `mock.restoreAll()`. The last step is repeated. `random` is what Math.random returns. */
export function scriptCoffer(
  steps: Step[],
  { random = 0, ...options }: Partial<CofferOptions> & { random?: number } = {},
): ScriptedCoffer {
  let clockMs = 1_000
  const sent: SentRequest[] = []
  const delaysMs: number[] = []
  const signals = new Map<AbortSignal, { timeoutMs: number; abort: () => void }>()
  mock.method(performance, 'now', () => clockMs)
  mock.method(Math, 'random', () => random)
  mock.method(globalThis, 'setTimeout', (run: () => void, delayMs: number) => {
    delaysMs.push(delayMs)
    clockMs += delayMs
    queueMicrotask(run)
  })
  mock.method(AbortSignal, 'timeout', (timeoutMs: number) => {
    const controller = new AbortController()
    signals.set(controller.signal, { timeoutMs, abort: () => controller.abort() })
    return controller.signal
  })
  const coffer = createCoffer({
    serviceUrl: 'https://wallet.example',
    clientId: 'app_1',
    clientSecret: 'coffer_sk_1',
    ...options,
    fetch: async (url, { method, headers, redirect, signal, ...init }) => {
      const timer = signals.get(signal)
      const { timeoutMs = NaN } = timer ?? {}
      const body = 'body' in init ? init.body : undefined
      sent.push({ url, method, headers, redirect, body, timeoutMs })
      const step = steps.length > 1 ? steps.shift() : steps[0]
      if (step === undefined) throw new Error('No response is prepared')
      if (step instanceof Error) throw step
      if (step === 'hang') {
        clockMs += timeoutMs
        timer?.abort()
        throw new DOMException('aborted', 'TimeoutError')
      }
      clockMs += step.tookMs ?? 0
      const { body: response = {} } = step
      return {
        status: step.status,
        headers: new Headers(step.headers ?? {}),
        text: async () => (typeof response === 'string' ? response : JSON.stringify(response)),
      }
    },
  })
  return { coffer, sent, delaysMs }
}

/** A socket error as runtimes wrap it. */
export function connectionError(code: string): Error {
  const cause = Object.assign(new Error('secret address'), { code })
  return new TypeError('fetch failed', { cause })
}
