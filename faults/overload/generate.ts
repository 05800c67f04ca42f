/**
 * Generates debits and credits in a separate process: it gets its plan in a message and sends back the results. Open
 * loop (`perSecond`): requests are sent when they are due, regardless of earlier responses, and the latency counts from
 * the due time. Closed loop (`connections`): each connection sends the next request after the response.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createCaller, type Caller } from '../clients/send-request.ts'

export interface GeneratorPlan {
  url: string
  apps: readonly { authorization: string; serviceUserIds: readonly string[] }[]
  /** Comes before the number in every reference. */
  tag: string
  /** Wall-clock time, so that several generators start together. */
  startAtMs: number
  seconds: number
  load: { perSecond: number } | { connections: number }
}

export interface GeneratorResult {
  sent: number
  /** How long it took until all were sent. */
  seconds: number
  /** The longest delay between due time and sending: caused by a busy machine, not by the service. */
  latestMs: number
  /** For each 200: its due time and the time of its response, since the start. */
  accepted: { dueMs: number; respondedMs: number }[]
  refused: { dueMs: number; respondedMs: number }[]
  /** Status and code → how many. */
  responses: Record<string, number>
  /** 429 and 503 responses without Retry-After. */
  withoutRetryAfter: number
  /** Numbers of the pairs that got 200, and of those with an unknown outcome. */
  acknowledged: number[]
  unknown: number[]
}

const TIMEOUT_MS = 10_000
const TICK_MS = 2
/** Like client apps: connections are kept, and their number is limited. A request that waits for one is late. */
const CONNECTIONS_KEPT = 250
const CONNECTIONS_MAX = 1_000

class Generator {
  readonly result: GeneratorResult
  readonly #plan: GeneratorPlan
  readonly #caller: Caller
  #startMs = 0
  #open = 0
  readonly #waiting: (() => void)[] = []

  constructor(plan: GeneratorPlan) {
    this.#plan = plan
    this.#caller = createCaller(plan.url)
    this.result = {
      sent: 0,
      seconds: 0,
      latestMs: 0,
      accepted: [],
      refused: [],
      responses: {},
      withoutRetryAfter: 0,
      acknowledged: [],
      unknown: [],
    }
  }

  async run(): Promise<GeneratorResult> {
    const { load, startAtMs } = this.#plan
    const greeting = { method: 'GET', path: '/livez', timeoutMs: TIMEOUT_MS } as const
    const greetings = Array.from({ length: CONNECTIONS_KEPT }, () => this.#caller.send(greeting))
    await Promise.all(greetings)
    await sleep(Math.max(0, startAtMs - Date.now()))
    this.#startMs = performance.now()
    const sent =
      'perSecond' in load ? await this.#sendAtRate(load.perSecond) : await this.#sendInTurn(load)
    await Promise.all(sent)
    this.#caller.close()
    return this.result
  }

  /** Requests that a busy machine delays are sent late, but they are sent. */
  async #sendAtRate(perSecond: number): Promise<Promise<void>[]> {
    const { seconds } = this.#plan
    const total = Math.round(perSecond * seconds)
    const open: Promise<void>[] = []
    while (open.length < total) {
      const due = Math.min(total, Math.floor((this.#nowMs() / 1000) * perSecond) + 1)
      while (open.length < due) open.push(this.#send((open.length / perSecond) * 1000))
      if (open.length < total) await sleep(TICK_MS)
    }
    while (this.#waiting.length > 0) await sleep(TICK_MS)
    this.result.seconds = Math.max(seconds, this.#nowMs() / 1000)
    return open
  }

  async #sendInTurn({ connections }: { connections: number }): Promise<Promise<void>[]> {
    const untilMs = this.#plan.seconds * 1000
    const send = async () => {
      while (this.#nowMs() < untilMs) await this.#send(this.#nowMs())
    }
    const callers = Array.from({ length: connections }, send)
    await Promise.all(callers)
    this.result.seconds = this.#plan.seconds
    return callers
  }

  async #takePlace() {
    if (this.#open >= CONNECTIONS_MAX) await new Promise<void>((go) => this.#waiting.push(go))
    else this.#open++
  }

  #leavePlace() {
    const next = this.#waiting.shift()
    if (next === undefined) this.#open--
    else next()
  }

  #nowMs(): number {
    return performance.now() - this.#startMs
  }

  async #send(dueMs: number): Promise<void> {
    const { apps, tag } = this.#plan
    const { result } = this
    await this.#takePlace()
    const number = result.sent++
    result.latestMs = Math.max(result.latestMs, this.#nowMs() - dueMs)
    const app = apps[number % apps.length]
    const users = app?.serviceUserIds ?? []
    const verb = number % 3 === 0 ? 'credit' : 'debit'
    const body = JSON.stringify({
      serviceUserId: users[Math.floor(Math.random() * users.length)],
      amount: 0.01,
      referenceType: 'OVERLOAD',
      referenceId: `${tag}-${number}`,
    })
    const path = `/api/server/wallet/${verb}`
    const authorization = app?.authorization ?? ''
    const outgoing = { method: 'POST', path, body, authorization, timeoutMs: TIMEOUT_MS } as const
    try {
      const { status, text, retryAfter } = await this.#caller.send(outgoing)
      const code = status === 200 ? '' : (/"code":"(\w+)"/.exec(text)?.[1] ?? '')
      this.#count(`${status} ${code}`.trim())
      const times = { dueMs, respondedMs: this.#nowMs() }
      if (status === 200) {
        result.accepted.push(times)
        result.acknowledged.push(number)
        return
      }
      result.refused.push(times)
      if ((status === 429 || status === 503) && retryAfter === undefined) result.withoutRetryAfter++
      if (status >= 500 && code !== 'SERVICE_UNAVAILABLE') result.unknown.push(number)
    } catch {
      this.#count('no response')
      result.unknown.push(number)
    } finally {
      this.#leavePlace()
    }
  }

  #count(response: string) {
    this.result.responses[response] = (this.result.responses[response] ?? 0) + 1
  }
}

async function generate(plan: GeneratorPlan) {
  const result = await new Generator(plan).run()
  process.send?.(result, () => process.exit(0))
}

process.once('message', (plan: GeneratorPlan) => void generate(plan))
