/** Receivers of webhooks, one per path, which answer as a plan says. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  hasSignature,
  openReceiver,
  type Received,
} from '../../server/test/events/webhook-receiver.ts'
import { ANSWERS, bodyOf, type AnswerName } from './answers.ts'

export interface Request {
  url: string
  received: Received
  answer: AnswerName
}

export interface Receivers {
  base: string
  /** The answers of a receiver, by its URL: each is given once, and the last one stays. */
  answers: Map<string, AnswerName[]>
  /** The requests since the last call. */
  take(): Request[]
  close(): void
}

/** How long the service waits for a response, and how long nothing happens before a plan lets that time be over. */
const TIMEOUT_MS = 15_000
const QUIET_MS = 100
const TOLERANCE_SECONDS = 300

export async function openReceivers(): Promise<Receivers> {
  const receiver = await openReceiver()
  const base = new URL(receiver.url).origin
  const timeouts = holdTimeouts()
  let requests: Request[] = []
  const answers = new Map<string, AnswerName[]>()
  receiver.respond = (response, received) => {
    const url = `${base}${response.req.url}`
    const script = answers.get(url) ?? []
    const answer = (script.length > 1 ? script.shift() : script[0]) ?? 'ok'
    requests.push({ url, received, answer })
    respond(response, answer, base)
    timeouts.touch(answer === 'late' || answer === 'slow')
  }
  return {
    base,
    answers,
    take() {
      const taken = requests
      requests = []
      return taken
    },
    close() {
      timeouts.restore()
      receiver.close()
    },
  }
}

function respond(response: ServerResponse, answer: AnswerName, base: string) {
  if (answer === 'hangUp') response.destroy()
  if (answer === 'slow') response.writeHead(200).write('beginning')
  const { status, retryAfterSeconds } = ANSWERS[answer]
  if (status === null) return
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', retryAfterSeconds)
  if (answer === 'redirect') response.setHeader('location', `${base}/elsewhere`)
  response.writeHead(status)
  response.end(bodyOf(answer))
}

/** The time of a response is over as soon as only late ones are missing, so that no plan waits for 15 seconds. */
function holdTimeouts() {
  const usual = AbortSignal.timeout.bind(AbortSignal)
  let held: AbortController[] = []
  let touches = 0
  let timer: NodeJS.Timeout | undefined
  AbortSignal.timeout = (ms) => {
    if (ms !== TIMEOUT_MS) return usual(ms)
    const controller = new AbortController()
    held.push(controller)
    return controller.signal
  }
  async function end() {
    timer = undefined
    const before = touches
    // Responses that have arrived are read first, also if this process was slow.
    for (let turn = 0; turn < 10; turn++) await nextTurn()
    if (before !== touches) return wait()
    for (const controller of held) controller.abort()
    held = []
  }
  function wait() {
    timer ??= setTimeout(() => void end(), QUIET_MS)
  }
  return {
    touch(isLate: boolean) {
      touches++
      if (timer) {
        timer.refresh()
        return
      }
      if (isLate) wait()
    },
    restore() {
      clearTimeout(timer)
      AbortSignal.timeout = usual
    },
  }
}

/** As docs/webhooks.md describes it for other languages. Both secrets sign during an overlap, and nothing else. */
export function isSignedWith({ received }: Request, secrets: readonly string[]): boolean {
  const { headers } = received
  const signatures = String(headers['webhook-signature']).split(' ')
  if (signatures.length !== secrets.length) return false
  return secrets.every((secret) => hasSignature(received, secret))
}

/** What holds for every request. */
export function checkRequest({ received: { headers, event } }: Request) {
  const seconds = Number(headers['webhook-timestamp'])
  assert(Math.abs(Date.now() / 1_000 - seconds) < TOLERANCE_SECONDS, 'the timestamp is too old')
  assert.equal(headers['webhook-id'], event.id)
  assert.equal(headers['content-type'], 'application/json')
}
