/** Interprets the response of one attempt: a result, or a failure and its effect on the operation. */
import type { Connection } from './check-options.ts'
import { ReplayMismatchError, toError, type CofferError, type OriginalOutcome } from './errors.ts'
import type { Body, Call, Head, Received } from './exchange.ts'
import type { Reference } from './types.ts'

export interface Failure {
  kind: 'failure'
  error: CofferError
  isRetryable: boolean
  /** recorded: the outcome is recorded. none: this attempt executed nothing. unknown: it may have executed the operation. */
  effect: 'recorded' | 'none' | 'unknown'
  retryAfterSeconds?: number | undefined
}

export type AttemptResult = { kind: 'response'; response: object } | Failure

/** The refusals that the service records as the outcome of a reference. */
const RECORDED_REFUSALS = [
  'INSUFFICIENT_BALANCE',
  'WALLET_INACTIVE',
  'CREDIT_LIMIT_EXCEEDED',
  'BALANCE_LIMIT',
  'REFUND_EXCEEDS_DEBIT',
  'WALLET_CLOSED',
  'CAPTURE_EXCEEDS_HOLD',
  'HOLD_EXPIRED',
  'HOLD_CLOSED',
  'SPEND_LIMIT_EXCEEDED',
]
/** With these nothing was sent, because no connection was made. */
const NEVER_SENT = [
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]

export function readResponse(
  connection: Connection,
  call: Call,
  { response, body }: Received,
): AttemptResult {
  const { status, headers } = response
  const isResponse = status >= 200 && status < 300 && call.requiredField in body
  const refusal = isResponse ? undefined : readRefusal(connection, call, response, body)
  const differs = headers.get('idempotency-mismatch')
  const original = isRecorded(refusal) ? body : readConflict(body)
  if (call.reference && differs && original) {
    return readMismatch(connection, call.reference, response, differs, original)
  }
  if (refusal) return refusal
  if (!call.reference) return { kind: 'response', response: body }
  const replayed = headers.get('idempotency-replayed') === 'true'
  return { kind: 'response', response: { ...body, replayed } }
}

function isRecorded(refusal: Failure | undefined): boolean {
  return !refusal || refusal.effect === 'recorded'
}

/** The outcome of the first request, if the service refuses repeats that differ. */
function readConflict({ code, original }: Body): Body | undefined {
  const isConflict = code === 'REFERENCE_MISMATCH' && typeof original === 'object'
  return isConflict ? ((original as Body | null) ?? undefined) : undefined
}

function readRefusal({ origin }: Connection, call: Call, response: Head, body: Body): Failure {
  const { status } = response
  const code = textOf(body['code'], /^[A-Z][A-Z0-9_]{1,63}$/) ?? 'UNEXPECTED_RESPONSE'
  const isOurs = code !== 'UNEXPECTED_RESPONSE'
  const retryAfterSeconds = readRetryAfter(response)
  const error = toError({
    code,
    // Uses only texts of the service, because the text of a proxy could contain the URL with the serviceUserId.
    message: (isOurs && textOf(body['error'])) || explainStatus(status),
    docsUrl: `${origin}/docs/errors/${code}`,
    status,
    requestId: requestIdOf(response),
    requiresAuth: body['requiresAuth'] === true,
    field: textOf(body['field'], /^\w{1,64}$/),
    retryAfterSeconds,
    reference: call.reference,
  })
  const isUnknown = status < 300 || (status >= 500 && code !== 'SERVICE_UNAVAILABLE')
  return {
    kind: 'failure',
    error,
    isRetryable: status === 429 || status >= 500,
    effect: RECORDED_REFUSALS.includes(code) ? 'recorded' : isUnknown ? 'unknown' : 'none',
    retryAfterSeconds,
  }
}

function readMismatch(
  { origin }: Connection,
  reference: Reference,
  response: Head,
  header: string,
  body: Body,
): Failure {
  const { balance, message, currency, transactionId, code, error } = body
  const original = (
    code === undefined
      ? { status: 'posted', balance, message, currency, transactionId }
      : { status: 'refused', code, message: error }
  ) as OriginalOutcome
  const mismatch = new ReplayMismatchError({
    code: 'REPLAY_MISMATCH',
    message: explainMismatch(header),
    docsUrl: `${origin}/docs/errors/REPLAY_MISMATCH`,
    status: response.status,
    requestId: requestIdOf(response),
    reference,
    differs: listDifferences(header),
    original,
  })
  return { kind: 'failure', error: mismatch, isRetryable: false, effect: 'recorded' }
}

export function explainMismatch(header: string): string {
  return `This referenceType and referenceId were already used with a different ${listDifferences(header).join(' and ')}. Nothing was executed, and the first outcome is unchanged: the property original contains it. Read it before you use a new referenceId.`
}

function listDifferences(header: string): string[] {
  return header.match(/\w+/g) ?? []
}

/** No complete response arrived. Keeps only the code of the runtime's error, because its text may contain the URL. */
export function readFailure({ origin }: Connection, thrown: unknown, timeoutMs?: number): Failure {
  const thrownCode = codeOf(thrown)
  const code = timeoutMs === undefined ? thrownCode : 'TIMEOUT'
  const cause = Object.assign(new Error(code ?? 'The connection failed.'), { code })
  const what = timeoutMs
    ? `The service did not respond within ${timeoutMs} ms.`
    : `The connection to the service failed${code ? ` (${code})` : ''}.`
  const error = toError({
    code: 'SERVICE_UNAVAILABLE',
    message: `${what} Try again in a moment. If the error persists, check serviceUrl and the network.`,
    docsUrl: `${origin}/docs/errors/SERVICE_UNAVAILABLE`,
    cause,
  })
  const effect = NEVER_SENT.includes(thrownCode ?? '') ? 'none' : 'unknown'
  return { kind: 'failure', error, isRetryable: true, effect }
}

/** Runtimes wrap the socket error in one or two others. */
function codeOf(thrown: unknown): string | undefined {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 4; depth++) {
    const code = textOf('code' in error ? error.code : undefined, /^[A-Z][A-Z0-9_]{2,63}$/)
    if (code !== undefined) return code
    error = error.cause
  }
  return undefined
}

function explainStatus(status: number): string {
  if (status >= 500) {
    return `The service or a proxy failed with status ${status}. Try again in a moment. If the error persists, report the requestId.`
  }
  const what = `Unexpected response with status ${status}.`
  if (status >= 300 && status < 400) {
    return `${what} Redirects are not followed, because they could expose the credentials. Set serviceUrl to the final address of the service.`
  }
  return `${what} Check serviceUrl and any proxies in between.`
}

function readRetryAfter({ headers }: Head): number | undefined {
  const text = headers.get('retry-after') ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const untilMs = Date.parse(text)
  return Number.isNaN(untilMs) ? undefined : Math.max(0, (untilMs - Date.now()) / 1_000)
}

function requestIdOf({ headers }: Head): string | undefined {
  return textOf(headers.get('x-request-id'), /^[\w-]{1,128}$/)
}

function textOf(value: unknown, pattern = /./): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined
}
