/** Separates the response of a batch into the responses that its calls would have got alone. */
import type { Body, Head, Received } from './exchange.ts'

/**
 * The refusals of a whole request that each of its calls would get, too. Any other 4xx may be caused by one of its
 * operations, by its size or by a service without batches, and says nothing about the others.
 */
const SHARED = [401, 403, 429]

/** Nothing was executed, and each call must be sent alone to get its own response. */
export function concernsBatchOnly({ status }: Head): boolean {
  return status >= 400 && status < 500 && !SHARED.includes(status)
}

export function readBatch({ response, body }: Received, count: number): Received[] {
  const isSuccess = response.status >= 200 && response.status < 300
  const { results } = body
  if (isSuccess && Array.isArray(results) && results.length === count) {
    return results.map((result) => readResult(response, result))
  }
  // Without results, a success says nothing about any operation, whatever else is in its body.
  const shared = { response, body: isSuccess ? {} : body }
  return Array.from({ length: count }, () => shared)
}

function readResult(response: Head, result: unknown): Received {
  const fields = typeof result === 'object' && result !== null ? (result as Body) : {}
  const { status, idempotencyReplayed, idempotencyMismatch, retryAfter, ...body } = fields
  if (typeof status !== 'number') return { response, body: {} }
  const headers: Record<string, unknown> = {
    'idempotency-replayed': idempotencyReplayed,
    'idempotency-mismatch': idempotencyMismatch,
    'retry-after': retryAfter,
    'x-request-id': response.headers.get('x-request-id'),
  }
  const get = (name: string) => {
    const value = headers[name]
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? `${value}`
      : null
  }
  return { response: { status, headers: { get } }, body: asAlone(body) }
}

/** A call does not know about batches. The service did not execute it, as if it had been unavailable. */
function asAlone(body: Body): Body {
  if (body['code'] !== 'EARLIER_OPERATION_FAILED') return body
  const error =
    'Not executed, because an earlier call on the same wallet failed. Send it again with the same reference.'
  return { ...body, code: 'SERVICE_UNAVAILABLE', error }
}
