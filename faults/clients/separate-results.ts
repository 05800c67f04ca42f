/** Separates the response to a batch into the responses that its operations would have got alone. */
import type { ServiceResponse } from './send-request.ts'

interface Result {
  status?: number
  idempotencyReplayed?: boolean
  idempotencyMismatch?: string
  retryAfter?: number
}

/** An operation without a result gets the status 0, which no contract lists. */
export function separateResults(response: ServiceResponse, count: number): ServiceResponse[] {
  if (response.status !== 200) return Array.from({ length: count }, () => response)
  const { results } = JSON.parse(response.text) as { results: Result[] }
  if (results.length !== count) results.length = 0
  return Array.from({ length: count }, (_, index) => {
    const {
      status = 0,
      idempotencyReplayed,
      idempotencyMismatch,
      retryAfter,
      ...body
    } = results[index] ?? {}
    return {
      status,
      text: JSON.stringify(body),
      isReplayed: idempotencyReplayed === true,
      differs: idempotencyMismatch ?? '',
      isOurs: response.isOurs,
      retryAfter: retryAfter?.toString(),
    }
  })
}
