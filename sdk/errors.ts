/**
 * All errors that a call can throw. No message, property or cause contains a request URL, a secret or a
 * serviceUserId, so errors can be logged safely.
 */
import type { OperationResult, Reference } from './types.ts'

export interface CofferErrorDetails {
  code: string
  message: string
  docsUrl: string
  status?: number | undefined
  requestId?: string | undefined
  requiresAuth?: boolean | undefined
  cause?: Error | undefined
  field?: string | undefined
  retryAfterSeconds?: number | undefined
  reference?: Reference | undefined
}

/** Shared by every copy of this package that a process loads: instanceof fails between the ESM and the CJS copy. */
const BRAND = Symbol.for('@coffer/sdk/error')

export class CofferError extends Error {
  readonly code: string
  /** The status of the HTTP response; undefined if there was none. */
  readonly status: number | undefined
  /** The user must authenticate: show the widget without a session. */
  readonly requiresAuth: boolean
  /** Identifies this call in the service's log. Include it when you report a problem. */
  readonly requestId: string | undefined
  /** A page that explains the code. */
  readonly docsUrl: string

  constructor(details: CofferErrorDetails) {
    super(details.message, details.cause && { cause: details.cause })
    this.name = new.target.name
    this.code = details.code
    this.status = details.status
    this.requiresAuth = details.requiresAuth ?? false
    this.requestId = details.requestId
    this.docsUrl = details.docsUrl
  }

  static {
    Object.defineProperty(this.prototype, BRAND, { value: true })
  }
}

/** There is no serviceUserId: your user has not linked a wallet. No request was sent. */
export class AccountNotLinkedError extends CofferError {
  declare readonly code: 'ACCOUNT_NOT_LINKED'
}

/** The service does not know the serviceUserId, or the user has unlinked your app. */
export class UserNotFoundError extends CofferError {
  declare readonly code: 'USER_NOT_FOUND'
}

export class LinkCodeInvalidError extends CofferError {
  declare readonly code: 'LINK_CODE_INVALID'
}

/** Recorded: the reference stays refused, even after a top-up. A new attempt needs a new referenceId. */
export class InsufficientBalanceError extends CofferError {
  declare readonly code: 'INSUFFICIENT_BALANCE'
}

/** Recorded: the reference stays refused, even after the wallet is unfrozen. A new attempt needs a new referenceId. */
export class WalletInactiveError extends CofferError {
  declare readonly code: 'WALLET_INACTIVE'
}

/** Recorded: the debit or hold would exceed the user's limit for your app. A new attempt needs a new referenceId. */
export class SpendLimitExceededError extends CofferError {
  declare readonly code: 'SPEND_LIMIT_EXCEEDED'
}

/** Recorded: the credit would exceed the credit limit of your app or the maximum balance. */
export class CreditRefusedError extends CofferError {
  declare readonly code: 'CREDIT_LIMIT_EXCEEDED' | 'BALANCE_LIMIT'
}

/** Recorded: the refund exceeds what is left of the debit, or the user has deleted the account. */
export class RefundRefusedError extends CofferError {
  declare readonly code: 'REFUND_EXCEEDS_DEBIT' | 'WALLET_CLOSED'
}

/** The feed cannot continue after this cursor. Read the events without after, and the wallets of your users again. */
export class CursorExpiredError extends CofferError {
  declare readonly code: 'CURSOR_EXPIRED'
}

/**
 * The capture exceeds what is left of the hold, or the hold has expired or is closed. These outcomes are recorded: debit
 * the wallet instead. HOLD_SUSPENDED is not recorded: the same request can succeed after the operator allows the capture.
 */
export class HoldRefusedError extends CofferError {
  declare readonly code: 'CAPTURE_EXCEEDS_HOLD' | 'HOLD_EXPIRED' | 'HOLD_CLOSED' | 'HOLD_SUSPENDED'
}

export class InvalidClientError extends CofferError {
  declare readonly code: 'INVALID_CLIENT'
}

/** The call is not allowed. The code says what is missing: a scope, another secret, network or origin, or a backend. */
export class NotAllowedError extends CofferError {
  declare readonly code:
    | 'INSUFFICIENT_SCOPE'
    | 'SECRET_RESTRICTED'
    | 'NETWORK_NOT_ALLOWED'
    | 'ORIGIN_NOT_ALLOWED'
    | 'BROWSER_NOT_ALLOWED'
}

/** The request is invalid. Fix your code; a retry does not help. */
export class InvalidRequestError extends CofferError {
  declare readonly code:
    | 'INVALID_REQUEST'
    | 'INVALID_AMOUNT'
    | 'OPERATION_NOT_FOUND'
    | 'NOT_FOUND'
    | 'WEBHOOK_LIMIT'
    | 'REFERENCE_MISMATCH'
    | 'PAYLOAD_TOO_LARGE'
    | 'UNSUPPORTED_MEDIA_TYPE'
  /** The invalid field, if known. */
  readonly field: string | undefined

  constructor(details: CofferErrorDetails) {
    super(details)
    this.field = details.field
  }
}

/** Still too many requests after the retries. Nothing was debited or credited. */
export class RateLimitedError extends CofferError {
  declare readonly code: 'RATE_LIMITED'
  readonly retryAfterSeconds: number | undefined

  constructor(details: CofferErrorDetails) {
    super(details)
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/** Unreachable or unable to process the call, after all retries. Nothing was debited or credited. */
export class ServiceUnavailableError extends CofferError {
  declare readonly code: 'SERVICE_UNAVAILABLE'
  readonly retryAfterSeconds: number | undefined

  constructor(details: CofferErrorDetails) {
    super(details)
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/** An internal error of the service, or a response that is not the service's: from a proxy or a wrong serviceUrl. */
export class UnexpectedResponseError extends CofferError {
  declare readonly code: 'UNEXPECTED_RESPONSE' | 'INTERNAL_ERROR'
}

/**
 * A debit or credit may or may not have been executed. Send it again with the same reference: it is executed at most once.
 * Never send it with a new referenceId.
 */
export class OutcomeUnknownError extends CofferError {
  declare readonly code: 'OUTCOME_UNKNOWN'
  readonly reference: Reference

  constructor(details: CofferErrorDetails & { reference: Reference }) {
    super(details)
    this.reference = details.reference
  }
}

/** The outcome of the first call with this reference. */
export type OriginalOutcome =
  | ({ status: 'posted' } & Omit<OperationResult, 'replayed'>)
  | { status: 'refused'; code: string; message: string }

/** The reference was already used for a different operation. Nothing was executed. */
export class ReplayMismatchError extends CofferError {
  declare readonly code: 'REPLAY_MISMATCH'
  readonly reference: Reference
  /** The fields that differ: amount, serviceUserId, direction, debit. */
  readonly differs: string[]
  readonly original: OriginalOutcome

  constructor(
    details: CofferErrorDetails & {
      reference: Reference
      differs: string[]
      original: OriginalOutcome
    },
  ) {
    super(details)
    this.reference = details.reference
    this.differs = details.differs
    this.original = details.original
  }
}

/** Code → class. A code that a newer service adds becomes a plain CofferError. */
export const ERROR_CLASSES = {
  ACCOUNT_NOT_LINKED: AccountNotLinkedError,
  USER_NOT_FOUND: UserNotFoundError,
  LINK_CODE_INVALID: LinkCodeInvalidError,
  INSUFFICIENT_BALANCE: InsufficientBalanceError,
  WALLET_INACTIVE: WalletInactiveError,
  SPEND_LIMIT_EXCEEDED: SpendLimitExceededError,
  CREDIT_LIMIT_EXCEEDED: CreditRefusedError,
  BALANCE_LIMIT: CreditRefusedError,
  REFUND_EXCEEDS_DEBIT: RefundRefusedError,
  WALLET_CLOSED: RefundRefusedError,
  CURSOR_EXPIRED: CursorExpiredError,
  CAPTURE_EXCEEDS_HOLD: HoldRefusedError,
  HOLD_EXPIRED: HoldRefusedError,
  HOLD_CLOSED: HoldRefusedError,
  HOLD_SUSPENDED: HoldRefusedError,
  REPLAY_MISMATCH: ReplayMismatchError,
  OUTCOME_UNKNOWN: OutcomeUnknownError,
  RATE_LIMITED: RateLimitedError,
  SERVICE_UNAVAILABLE: ServiceUnavailableError,
  INVALID_CLIENT: InvalidClientError,
  INSUFFICIENT_SCOPE: NotAllowedError,
  SECRET_RESTRICTED: NotAllowedError,
  NETWORK_NOT_ALLOWED: NotAllowedError,
  ORIGIN_NOT_ALLOWED: NotAllowedError,
  BROWSER_NOT_ALLOWED: NotAllowedError,
  INVALID_REQUEST: InvalidRequestError,
  INVALID_AMOUNT: InvalidRequestError,
  NOT_FOUND: InvalidRequestError,
  WEBHOOK_LIMIT: InvalidRequestError,
  OPERATION_NOT_FOUND: InvalidRequestError,
  REFERENCE_MISMATCH: InvalidRequestError,
  PAYLOAD_TOO_LARGE: InvalidRequestError,
  UNSUPPORTED_MEDIA_TYPE: InvalidRequestError,
  INTERNAL_ERROR: UnexpectedResponseError,
  UNEXPECTED_RESPONSE: UnexpectedResponseError,
} as const

export type CofferErrorCode = keyof typeof ERROR_CLASSES

export function toError(details: CofferErrorDetails): CofferError {
  const Class = Object.hasOwn(ERROR_CLASSES, details.code)
    ? ERROR_CLASSES[details.code as CofferErrorCode]
    : CofferError
  return new Class(details)
}

/** Whether this is an error of this package; with a code, whether it has that code. */
export function isCofferError(error: unknown): error is CofferError
export function isCofferError<Code extends CofferErrorCode>(
  error: unknown,
  code: Code,
): error is InstanceType<(typeof ERROR_CLASSES)[Code]> & { code: Code }
export function isCofferError(error: unknown, code?: string): boolean {
  const isOurs = error instanceof Error && BRAND in error
  return isOurs && (code === undefined || ('code' in error && error.code === code))
}
