import type { ErrorCode } from '@coffer/contract/errors'

/** An expected refusal. The contract's table has its status and public text. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  /** For INVALID_REQUEST: the invalid field. */
  readonly field: string | undefined
  /** Overrides the value of the table. */
  readonly retryAfterSeconds: number | undefined
  constructor(code: ErrorCode, field?: string, retryAfterSeconds?: number) {
    super(code)
    this.code = code
    this.field = field
    this.retryAfterSeconds = retryAfterSeconds
  }
}
