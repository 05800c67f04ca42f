/** The public types. The file has no imports, so that the published types are complete. */

/** What the client needs of fetch. It must honor `signal` and must not follow redirects by itself. */
export type Fetch = (
  url: string,
  init: {
    method: 'GET' | 'POST'
    headers: Record<string, string>
    body?: string
    redirect: 'manual'
    signal: AbortSignal
  },
) => Promise<{
  status: number
  headers: { get(name: string): string | null }
  text(): Promise<string>
  /** Needed by exportOperations only. */
  body?: {
    getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }> }
  } | null
}>

export interface CofferOptions {
  /** The address of the service, for example https://wallet.example. */
  serviceUrl: string | undefined
  clientId: string | undefined
  clientSecret: string | undefined
  /** How long one attempt may take, in milliseconds. Default 10 000. */
  timeoutMs?: number | undefined
  /** How often a call is repeated after a timeout, a lost connection, 429 or 5xx. Default 4. */
  retries?: number | undefined
  /** How long a call may take with all its attempts and delays, in milliseconds. Default 30 000. */
  deadlineMs?: number | undefined
  /** Instead of the global fetch. */
  fetch?: Fetch | undefined
}

/** Major units: `19.99` or `'19.99'`. Sent unchanged; the service rejects an amount that it would have to round. */
export type Amount = number | string

/** The id of the linked user, as you stored it. Without one the call throws AccountNotLinkedError. */
export type ServiceUserId = string | null | undefined

/** The idempotency key of a debit or credit: one business attempt, executed at most once. */
export interface Reference {
  /** A label that you choose, for example ORDER_PAYMENT. */
  referenceType: string
  /** Your id for this attempt. A new attempt needs a new id. */
  referenceId: string
}

export interface WalletInput {
  serviceUserId: ServiceUserId
  /** How many transactions, 1 to 100. Default 50. */
  limit?: number | undefined
  /** The nextCursor of the previous page. */
  cursor?: string | undefined
}

export interface Wallet {
  /** Major units. */
  balance: number
  /** ISO 4217. */
  currency: string
  /** A wallet that is not active is frozen: it cannot be debited, but still credited. */
  isActive: boolean
  /** Newest first. */
  transactions: Transaction[]
  /** null on the last page. */
  nextCursor: string | null
}

export interface Transaction {
  id: string
  type: 'debit' | 'credit'
  amount: number
  balanceAfter: number
  currency: string
  /** null unless your app made the entry. */
  referenceType: string | null
  /** null unless your app made the entry. */
  referenceId: string | null
  description: string | null
  source: 'this_app' | 'other_app' | 'topup' | 'bonus' | 'dispute' | 'correction' | 'hold'
  /** Only on refunds of your app: the id of the entry of the debit. */
  refundOf?: string | undefined
  /** ISO 8601, UTC. */
  createdAt: string
}

export interface CheckBalanceInput {
  serviceUserId: ServiceUserId
  /** 0 is allowed. */
  requiredAmount: Amount
}

export interface BalanceCheck {
  balance: number
  requiredAmount: number
  hasSufficientBalance: boolean
  /** The largest amount that one debit or hold of your app can take now: the balance, or less if the user set a limit. */
  spendable: number
  currency: string
}

export interface OperationInput extends Reference {
  serviceUserId: ServiceUserId
  amount: Amount
  /** Shown to the user in the history. */
  description?: string | undefined
  /** Up to 10 keys and values that only your app sees. */
  metadata?: Record<string, string> | undefined
}

export interface OperationResult {
  /** The balance right after the operation. A replay returns the same value. */
  balance: number
  message: string
  currency: string
  /** The id of the entry in the history. A replay returns the same value. */
  transactionId: string
  /** Whether the outcome was recorded before: by an earlier call, or by an attempt of this call whose response was lost. */
  replayed: boolean
}

export interface RefundInput extends Reference {
  /** The reference of the debit or capture. */
  debit: Reference
  /** Without it, everything that is left of the debit is refunded. */
  amount?: Amount | undefined
  /** Shown to the user in the history. */
  description?: string | undefined
  /** Up to 10 keys and values that only your app sees. */
  metadata?: Record<string, string> | undefined
}

export interface RefundResult {
  /** The balance right after the refund; null if the user has unlinked your app. A replay returns the same value. */
  balance: number | null
  message: string
  currency: string
  /** The id of the entry in the history. A replay returns the same value. */
  transactionId: string
  /** The amount of this refund. */
  refunded: number
  /** How much of the debit was left after this refund. */
  refundable: number
  /** Whether the outcome was recorded before. */
  replayed: boolean
}

export interface HoldInput extends OperationInput {
  /** After this time the hold expires. 60 to 2592000 (30 days), by default 604800 (7 days). */
  expiresInSeconds?: number | undefined
}

export interface HoldResult {
  /** The balance right after the hold, without the held amount. A replay returns the same value. */
  balance: number
  /** The amount of the hold. */
  held: number
  /** When the hold expires. ISO 8601, UTC. */
  expiresAt: string
  message: string
  currency: string
  /** The id of the entry in the history. A replay returns the same value. */
  transactionId: string
  /** Whether the outcome was recorded before. */
  replayed: boolean
}

export interface CaptureInput extends Reference {
  /** The reference of the hold. */
  hold: Reference
  /** Without it, everything that is left of the hold is captured. */
  amount?: Amount | undefined
  /** Whether the rest of the hold is released. By default true; false keeps it for further captures. */
  isFinal?: boolean | undefined
  /** Shown to the user in the history. */
  description?: string | undefined
}

export interface CaptureResult extends ReleaseResult {
  /** The amount of this capture. */
  captured: number
}

export interface ReleaseInput extends Reference {
  /** The reference of the hold. */
  hold: Reference
  /** Shown to the user in the history. */
  description?: string | undefined
}

export interface ReleaseResult {
  /** The balance right after the operation; null if the user has unlinked your app. A replay returns the same value. */
  balance: number | null
  /** How much of the hold went back to the wallet. */
  released: number
  /** How much of the hold is left after the operation. */
  held: number
  message: string
  currency: string
  /** The id of the entry in the history. A replay returns the same value. */
  transactionId: string
  /** Whether the outcome was recorded before. */
  replayed: boolean
}

/** The input of a single call, and which call it is. */
export type BatchOperation =
  | ({ type: 'debit' | 'credit' } & OperationInput)
  | ({ type: 'refund' } & RefundInput)
  | ({ type: 'hold' } & HoldInput)
  | ({ type: 'capture' } & CaptureInput)
  | ({ type: 'release' } & ReleaseInput)

/** The status is 200 only if the operation was executed as you sent it, now or by an earlier request. */
export type BatchResult = BatchSuccess | BatchFailure

/** The fields that the single call returns. */
export interface BatchSuccess {
  status: 200
  /** The balance right after it; null if the user has unlinked your app. A replay returns the same value. */
  balance: number | null
  message: string
  currency: string
  /** The id of the entry in the history. A replay returns the same value. */
  transactionId: string
  /** Only of a refund: its amount. */
  refunded?: number | undefined
  /** Only of a refund: how much of the debit was left after it. */
  refundable?: number | undefined
  /** Only of a capture: its amount. */
  captured?: number | undefined
  /** Only of a capture or release: how much of the hold went back to the wallet. */
  released?: number | undefined
  /** Only of a hold, capture or release: how much of the hold was left right after it. */
  held?: number | undefined
  /** Only of a hold: when it ends by itself. ISO 8601, UTC. */
  expiresAt?: string | undefined
  /** Present if the outcome was recorded before. */
  idempotencyReplayed?: true | undefined
  idempotencyMismatch?: undefined
  code?: undefined
}

/** The error that the single call would throw. */
export interface BatchFailure {
  /** With 500 or more the operation may have been executed: send it again with the same reference. */
  status: 400 | 403 | 404 | 409 | 500 | 503
  /** What happened and what to do. */
  error: string
  /** What happened, for programs: the code of the error, or EARLIER_OPERATION_FAILED. */
  code: string
  /** The user must authenticate: show the widget without a session. */
  requiresAuth?: boolean | undefined
  /** The invalid field, if known. */
  field?: string | undefined
  /** Seconds to wait before you send it again. */
  retryAfter?: number | undefined
  /** Present if the outcome was recorded before. */
  idempotencyReplayed?: true | undefined
  /** With REPLAY_MISMATCH: the fields that differ from the first request with this reference. */
  idempotencyMismatch?: string | undefined
  /** With REPLAY_MISMATCH: what the first request with this reference got. */
  original?: BatchResult | undefined
}

/** The recorded outcome of a reference. */
export interface Operation {
  status: 'posted' | 'refused'
  type: 'debit' | 'credit'
  amount: number
  currency: string
  referenceType: string
  referenceId: string
  /** The id that the user had in your app when it was decided. */
  serviceUserId: string
  /** The balance right after the operation; null when refused, and for a refund, capture or release after the user has unlinked your app. */
  balance: number | null
  /** null when refused. */
  transactionId: string | null
  /** Why it was refused; null when posted. */
  code: string | null
  /** Only on a refund: the id of the entry of the debit. */
  refundOf?: string | undefined
  /** Only on a debit that was refunded, completely or in part: how much of it. */
  refunded?: number | undefined
  /** Only on a debit that was refunded, completely or in part: how much of it is left. */
  refundable?: number | undefined
  /** ISO 8601, UTC. */
  createdAt: string
  /** What your app stored with it. Absent if it stored nothing. */
  metadata?: Record<string, string> | undefined
}

export interface OperationsInput {
  /** The first day, UTC: 2026-11-01. */
  from?: string | undefined
  /** The last day, UTC, included. */
  to?: string | undefined
}

export interface HoldsInput {
  /** Only the holds of this user. */
  serviceUserId?: string | undefined
  state?: ListedHold['state'] | undefined
}

/** A hold and what is left of it. */
export interface ListedHold {
  referenceType: string
  referenceId: string
  serviceUserId: string
  amount: number
  captured: number
  held: number
  currency: string
  state: 'open' | 'captured' | 'released' | 'expired'
  createdAt: string
  expiresAt: string
}

export interface ExportInput {
  /** A calendar month in UTC, for example 2026-11. */
  month: string
  /** Aborts the export. Leaving the loop also aborts it. */
  signal?: AbortSignal | undefined
}

/** An operation in the list of your app's operations. */
export interface ListedOperation {
  type: 'debit' | 'credit' | 'refund' | 'hold' | 'capture' | 'release'
  amount: number
  currency: string
  referenceType: string
  referenceId: string
  description: string | null
  /** The id that the user had in your app when it was decided. */
  serviceUserId: string
  transactionId: string
  /** Only on a refund: the id of the entry of the debit. */
  refundOf?: string | undefined
  /** Only on a capture or release: the id of the entry of the hold. */
  holdOf?: string | undefined
  /** ISO 8601, UTC. */
  createdAt: string
  /** What your app stored with it. Absent if it stored nothing. */
  metadata?: Record<string, string> | undefined
}

export interface SessionInput {
  serviceUserId: ServiceUserId
  /** The origin of the page that embeds the widget; the session then works on this origin only. */
  parentOrigin?: string | undefined
}

export interface Session {
  sessionToken: string
  /** ISO 8601, UTC. */
  expiresAt: string
}

export interface LinkInput {
  /** From the widget's SERVICE_AUTH_SUCCESS. */
  linkCode: string
  /** From your user's session, where you stored it when you created the challenge. */
  verifier: string
}

/** Proves that the user who logged in to the widget is the one whose session asked for it. */
export interface Verifier {
  /** Secret: it stays on your backend, in the session of your user. */
  verifier: string
  /** For the page, which passes it to the widget. */
  challenge: string
}

export interface Link {
  serviceUserId: string
}
