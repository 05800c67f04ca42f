import type { ErrorCode } from '@coffer/contract/errors'

/** A refusal that we foresee. Its status and public text stand in the contract's table. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  /** On INVALID_REQUEST: the field that does not fit. */
  readonly field: string | undefined
  /** Instead of the table's. */
  readonly retryAfterSeconds: number | undefined
  constructor(code: ErrorCode, field?: string, retryAfterSeconds?: number) {
    super(code)
    this.code = code
    this.field = field
    this.retryAfterSeconds = retryAfterSeconds
  }
}
