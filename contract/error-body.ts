import type { ErrorCode, UNHANDLED_ERROR } from './errors.ts'

/** The body of every error response. */
export interface ErrorBody {
  error: string
  code?: ErrorCode | typeof UNHANDLED_ERROR.code
  requiresAuth?: boolean
  /** With INVALID_REQUEST: the invalid field. */
  field?: string
  /** With REFERENCE_MISMATCH, if the client app refuses repeats that differ: what the first request returned. */
  original?: OriginalOutcome
}

/** The status and the body that the first request with a reference got. */
export interface OriginalOutcome {
  status: number
  type: 'debit' | 'credit' | 'refund' | 'hold' | 'capture' | 'release'
}
