/** Sends a call with the same bytes until it gets a response, or reports what is known about its outcome. */
import type { Line } from './check-options.ts'
import { OutcomeUnknownError, type CofferError } from './errors.ts'
import { exchange, type Call, type Exchange, type Request } from './exchange.ts'
import { readResponse, readFailure, type Reading } from './read-response.ts'

/** The first pause is at most this, each further one twice as much: random, so that clients do not retry at the same time. */
const PAUSE_MS = 500
const PAUSE_MAX_MS = 4_000

export async function send<Output extends object>(
  line: Line,
  call: Call,
  carry: Exchange = (request, signal) => exchange(line, request, signal),
): Promise<Output> {
  const request = toRequest(line, call)
  const endMs = performance.now() + line.deadlineMs
  let isInDoubt = false
  for (let retry = 0; ; retry++) {
    const leftMs = Math.max(1, Math.ceil(endMs - performance.now()))
    const timeoutMs = Math.min(line.timeoutMs, leftMs)
    const reading = await attempt(line, call, timeoutMs, (signal) => carry(request, signal))
    if (reading.kind === 'response') return reading.response as Output
    isInDoubt ||= reading.fate === 'doubtful'
    const pauseMs = choosePauseMs(retry, reading.retryAfterSeconds)
    const isInTime = performance.now() + pauseMs < endMs
    if (!reading.isRetryable || retry >= line.retries || !isInTime) {
      if (!isInDoubt || reading.fate === 'decided') throw reading.error
      if (call.inDoubt) return call.inDoubt(reading.error) as Output
      throw raiseDoubt(line, call, reading.error)
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

function toRequest({ origin, authorization }: Line, { method, path, fields }: Call): Request {
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
  line: Line,
  call: Call,
  timeoutMs: number,
  receive: (signal: AbortSignal) => ReturnType<Exchange>,
): Promise<Reading> {
  const signal = AbortSignal.timeout(timeoutMs)
  let received
  try {
    received = await receive(signal)
  } catch (error) {
    return readFailure(line, error, signal.aborted ? timeoutMs : undefined)
  }
  return readResponse(line, call, received)
}

export function choosePauseMs(retry: number, retryAfterSeconds = 0): number {
  return retryAfterSeconds * 1_000 + Math.random() * Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** retry)
}

/** An attempt may have been executed, but no response reports its outcome. */
function raiseDoubt({ origin }: Line, { reference }: Call, error: CofferError): CofferError {
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
