/** Sends a call with the same bytes until it gets a response, or reports what is known about its outcome. */
import type { Connection } from './check-options.ts'
import { OutcomeUnknownError, type CofferError } from './errors.ts'
import { exchange, type Call, type Exchange, type Request } from './exchange.ts'
import { readResponse, readFailure, type AttemptResult } from './read-response.ts'

/** The first delay is at most this, each further one twice as much: random, so that clients do not retry at the same time. */
const FIRST_DELAY_MS = 500
const DELAY_MAX_MS = 4_000

export async function send<Output extends object>(
  connection: Connection,
  call: Call,
  carry: Exchange = (request, signal) => exchange(connection, request, signal),
): Promise<Output> {
  const request = toRequest(connection, call)
  const endMs = performance.now() + connection.deadlineMs
  let isOutcomeUnknown = false
  for (let retry = 0; ; retry++) {
    const leftMs = Math.max(1, Math.ceil(endMs - performance.now()))
    const timeoutMs = Math.min(connection.timeoutMs, leftMs)
    const result = await attempt(connection, call, timeoutMs, (signal) => carry(request, signal))
    if (result.kind === 'response') return result.response as Output
    isOutcomeUnknown ||= result.effect === 'unknown'
    const delayMs = chooseDelayMs(retry, result.retryAfterSeconds)
    const isInTime = performance.now() + delayMs < endMs
    if (!result.isRetryable || retry >= connection.retries || !isInTime) {
      if (!isOutcomeUnknown || result.effect === 'recorded') throw result.error
      if (call.onOutcomeUnknown) return call.onOutcomeUnknown(result.error) as Output
      throw toOutcomeUnknown(connection, call, result.error)
    }
    await new Promise((resolve) => setTimeout(resolve, delayMs))
  }
}

function toRequest({ origin, authorization }: Connection, { method, path, fields }: Call): Request {
  const common = { method, redirect: 'manual' } as const
  const headers = { accept: 'application/json', authorization }
  if (method === 'POST') {
    const body = JSON.stringify(fields)
    const typed = { ...headers, 'content-type': 'application/json' }
    return { ...common, url: origin + path, headers: typed, body }
  }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== 'object' && value !== undefined) query.append(name, `${value}`)
  }
  return { ...common, url: `${origin}${path}?${query}`, headers }
}

async function attempt(
  connection: Connection,
  call: Call,
  timeoutMs: number,
  receive: (signal: AbortSignal) => ReturnType<Exchange>,
): Promise<AttemptResult> {
  const signal = AbortSignal.timeout(timeoutMs)
  let received
  try {
    received = await receive(signal)
  } catch (error) {
    return readFailure(connection, error, signal.aborted ? timeoutMs : undefined)
  }
  return readResponse(connection, call, received)
}

export function chooseDelayMs(retry: number, retryAfterSeconds = 0): number {
  return (
    retryAfterSeconds * 1_000 + Math.random() * Math.min(DELAY_MAX_MS, FIRST_DELAY_MS * 2 ** retry)
  )
}

/** An attempt may have been executed, but no response reports its outcome. */
function toOutcomeUnknown(
  { origin }: Connection,
  { reference }: Call,
  error: CofferError,
): CofferError {
  if (reference === undefined || error instanceof OutcomeUnknownError) return error
  return new OutcomeUnknownError({
    code: 'OUTCOME_UNKNOWN',
    message:
      'It is not known whether the operation was executed. Send it again with the same referenceType and referenceId: it is executed at most once. Or look it up with operation(). A new referenceId could execute it twice.',
    docsUrl: `${origin}/docs/errors/OUTCOME_UNKNOWN`,
    status: error.status,
    requestId: error.requestId,
    cause: error,
    reference,
  })
}
