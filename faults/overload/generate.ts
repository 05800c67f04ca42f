/**
 * A generator of debits and credits, as a process of its own: it is told what to do by a message and responses with what
 * it was answered. Open loop (`perSecond`): requests leave when they are due, whatever became of those before, and a
 * request's time counts from when it was due. Closed loop (`connections`): each sends the next when it was answered.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createCaller, type Caller } from '../clients/send-request.ts'

export interface GeneratorPlan {
  url: string
  apps: readonly { authorization: string; serviceUserIds: readonly string[] }[]
  /** Before the number in every reference. */
  tag: string
  /** By the clock of the machine, so that several start together. */
  startAtMs: number
  seconds: number
  load: { perSecond: number } | { connections: number }
}

export interface GeneratorResult {
  sent: number
  /** How long it took until all were sent. */
  seconds: number
  /** How much later than due it sent, at worst: a busy machine's doing, not the service's. */
  latestMs: number
  /** Of each 200: when it was due and when its response came, since the start. */
  accepted: { dueMs: number; respondedMs: number }[]
  refused: { dueMs: number; respondedMs: number }[]
  /** Status and code → how many. */
  responses: Record<string, number>
  /** 429 and 503 that did not say when to come back. */
  withoutRetryAfter: number
  /** Numbers of the pairs: with a 200, and those that nobody knows about. */
  acknowledged: number[]
  unknown: number[]
}

const TIMEOUT_MS = 10_000
const TICK_MS = 2
/** As client apps do it: connections are kept, and there is a bound to them. Whoever waits for one is late. */
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
    const answered = 'perSecond' in load ? await this.#pour(load.perSecond) : await this.#turn(load)
    await Promise.all(answered)
    this.#caller.close()
    return this.result
  }

  /** What a busy machine delayed is sent late, but it is sent. */
  async #pour(perSecond: number): Promise<Promise<void>[]> {
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

  async #turn({ connections }: { connections: number }): Promise<Promise<void>[]> {
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
      this.#count('no answer')
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
