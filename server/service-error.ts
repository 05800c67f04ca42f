import type { ErrorCode, OriginalOutcome } from '@coffer/contract/errors'

/** An expected refusal. The contract's table has its status and public text. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  /** For INVALID_REQUEST and INVALID_AMOUNT: the invalid field. */
  readonly field: string | undefined
  /** Overrides the value of the table. */
  readonly retryAfterSeconds: number | undefined
  /** A sentence about what is wrong with the request, for the caller. */
  readonly problem: string | undefined
  /** Replaces the text of the table. It says more about this request and contains no value of it. */
  text: string | undefined
  constructor(code: ErrorCode, field?: string, retryAfterSeconds?: number, problem?: string) {
    super(code)
    this.code = code
    this.field = field
    this.retryAfterSeconds = retryAfterSeconds
    this.problem = problem
  }
}

/** `problem` is one or two sentences for the caller. They contain no value of the request. */
export class InvalidRequest extends ServiceError {
  constructor(problem: string, field?: string) {
    super('INVALID_REQUEST', field, undefined, problem)
  }
}

/** `problem` is one or two sentences for the caller. */
export class InvalidAmount extends ServiceError {
  constructor(field: string, problem: string) {
    super('INVALID_AMOUNT', field)
    this.text = `Invalid amount. ${problem}`
  }
}

export class MethodNotAllowed extends ServiceError {
  constructor(allowed: readonly string[]) {
    super('METHOD_NOT_ALLOWED', undefined, undefined, `Use ${allowed.join(' or ')}.`)
  }
}

/** Credentials are missing or sent in the wrong way. */
export class InvalidClient extends ServiceError {
  constructor(text: string) {
    super('INVALID_CLIENT')
    this.text = text
  }
}

/** The reference belongs to an operation with other values. The caller gets its outcome. */
export class ReferenceMismatch extends ServiceError {
  readonly original: OriginalOutcome
  constructor(differs: readonly string[], original: OriginalOutcome) {
    super('REFERENCE_MISMATCH', undefined, undefined, `It differs in: ${differs.join(', ')}.`)
    this.original = original
  }
}

/** event_loop: the process is late. ledger_queue: too many operations wait. ledger_reads: too many reads wait. */
export type Limit = 'event_loop' | 'ledger_queue' | 'ledger_reads'

/** There is more work than the process or the database can do. Nothing was executed. */
export class Overloaded extends ServiceError {
  readonly limit: Limit
  constructor(limit: Limit) {
    super('SERVICE_UNAVAILABLE')
    this.limit = limit
  }
}

/** A pause lasts minutes, so retrying every second does not help. */
const PAUSE_RETRY_SECONDS = 30

/** An operator has paused writes: nothing was decided, and the same request can be sent again. */
export class WritesPaused extends ServiceError {
  constructor() {
    super('SERVICE_UNAVAILABLE', undefined, PAUSE_RETRY_SECONDS)
    this.message =
      'An operator has paused writes, so the request was not executed. Resume writes, then send it again.'
  }
}
