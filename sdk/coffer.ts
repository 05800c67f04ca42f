/** The server API of Coffer, for the backend of a client app. */
import { checkOptions, type Connection } from './check-options.ts'
import { createOperationCalls } from './create-operation-calls.ts'
import { AccountNotLinkedError, CofferError } from './errors.ts'
import { exportOperations } from './export-operations.ts'
import { listHolds } from './list-holds.ts'
import { listOperations } from './list-operations.ts'
import { readEvents } from './read-events.ts'
import { send } from './send.ts'
import type { CofferEvent, EventsInput } from './event-types.ts'
import type * as types from './types.ts'
import { createWebhookCalls, type WebhookCalls } from './webhook/create-webhook-calls.ts'

export interface Coffer {
  /** Balance, state and history, newest first. */
  wallet(input: types.WalletInput): Promise<types.Wallet>
  /** Whether the balance covers an amount at this moment. It can change before a debit. */
  checkBalance(input: types.CheckBalanceInput): Promise<types.BalanceCheck>
  /** Takes money from the wallet, at most once per reference. The balance never becomes negative. */
  debit(input: types.OperationInput): Promise<types.OperationResult>
  /** Adds money to the wallet, at most once per reference. To return money of a debit, use refund. */
  credit(input: types.OperationInput): Promise<types.OperationResult>
  /**
   * Returns money of a debit to the wallet, at most once per reference and never more than was debited. Also works after
   * the user has unlinked your app.
   */
  refund(input: types.RefundInput): Promise<types.RefundResult>
  /**
   * Reserves money of the wallet for your app, at most once per reference, until you capture or release it or the hold
   * expires.
   */
  hold(input: types.HoldInput): Promise<types.HoldResult>
  /** Takes money from a hold, at most once per reference and never more than is left. By default it releases the rest. */
  capture(input: types.CaptureInput): Promise<types.CaptureResult>
  /** Ends a hold: what is left of it goes back to the wallet. */
  release(input: types.ReleaseInput): Promise<types.ReleaseResult>
  /**
   * Sends up to 100 operations in one request and returns their results in the same order. It is not atomic: check every
   * result. If it throws, it executed nothing.
   */
  batch(operations: readonly types.BatchOperation[]): Promise<types.BatchResult[]>
  /** The holds of your app, newest first. Requests the next page when the loop needs it. */
  holds(input?: types.HoldsInput): AsyncIterable<types.ListedHold>
  /**
   * The recorded outcome of a reference, or null if none is recorded. After null, an outcome can still be recorded,
   * because an attempt may be in progress. To be sure, send the debit or credit again with the same reference.
   */
  operation(reference: types.Reference): Promise<types.Operation | null>
  /** The debits, credits and refunds of your app, newest first. Requests the next page when the loop needs it. */
  operations(input?: types.OperationsInput): AsyncIterable<types.ListedOperation>
  /**
   * Everything that your app did in a month, newest first, in one request that the service streams as fast as the loop
   * reads. Throws if the connection ends early: start again then.
   */
  exportOperations(input: types.ExportInput): AsyncGenerator<types.ListedOperation, void, undefined>
  /**
   * The events that your app did not cause itself, oldest first, without an end: it waits for the next event, and
   * continues after the service was unavailable. Store the cursor of each event once you have processed it, and pass it as
   * after when your process starts again. Throws CursorExpiredError if the feed cannot continue there.
   */
  events(input?: EventsInput): AsyncGenerator<CofferEvent, void, undefined>
  /** The webhooks of your app. These calls need a secret with the scope webhooks:manage. */
  webhooks: WebhookCalls
  /** A token that shows one user's wallet in the widget for five minutes. */
  createSession(input: types.SessionInput): Promise<types.Session>
  /**
   * Exchanges the widget's link code for the serviceUserId to store. The verifier is the one whose challenge opened
   * the widget. Safe to repeat while the code is valid.
   */
  exchangeLinkCode(input: types.LinkInput): Promise<types.Link>
}

export function createCoffer(options: types.CofferOptions): Coffer {
  const connection = checkOptions(options)

  const requireLinked = (id: types.ServiceUserId) => checkLinked(connection, id)

  return {
    async wallet({ serviceUserId, limit, cursor }) {
      const fields = { serviceUserId: requireLinked(serviceUserId), limit, cursor }
      const call = { method: 'GET', path: '/api/server/wallet', fields } as const
      return send(connection, { ...call, requiredField: 'balance' })
    },

    async checkBalance({ serviceUserId, requiredAmount }) {
      const path = '/api/server/wallet/check-balance'
      const fields = { serviceUserId: requireLinked(serviceUserId), requiredAmount }
      const call = { method: 'GET', path, fields, requiredField: 'hasSufficientBalance' } as const
      return send(connection, call)
    },

    ...createOperationCalls(connection, requireLinked),

    holds: (input = {}) => listHolds(connection, input),

    async operation({ referenceType, referenceId }) {
      const path = '/api/server/operations'
      const fields = { referenceType, referenceId }
      try {
        return await send(connection, { method: 'GET', path, fields, requiredField: 'status' })
      } catch (error) {
        if (error instanceof CofferError && error.code === 'OPERATION_NOT_FOUND') return null
        throw error
      }
    },

    operations: (input = {}) => listOperations(connection, input),

    exportOperations: (input) => exportOperations(connection, input),

    events: (input = {}) => readEvents(connection, input),

    webhooks: createWebhookCalls(connection),

    async createSession({ serviceUserId, parentOrigin }) {
      const path = '/api/widget/session'
      const fields = { serviceUserId: requireLinked(serviceUserId), parentOrigin }
      return send(connection, { method: 'POST', path, fields, requiredField: 'sessionToken' })
    },

    async exchangeLinkCode({ linkCode, verifier }) {
      const path = '/api/server/link/exchange'
      const fields = { linkCode, verifier }
      return send(connection, { method: 'POST', path, fields, requiredField: 'serviceUserId' })
    },
  }
}

/** Checked before any request: an empty id means that your user has not linked a wallet. */
function checkLinked({ origin }: Connection, serviceUserId: types.ServiceUserId): string {
  if (serviceUserId) return serviceUserId
  throw new AccountNotLinkedError({
    code: 'ACCOUNT_NOT_LINKED',
    message:
      'This user has no serviceUserId: no wallet is linked. Show the widget without a session so that the user can link one.',
    docsUrl: `${origin}/docs/errors/ACCOUNT_NOT_LINKED`,
    requiresAuth: true,
  })
}

export {
  AccountNotLinkedError,
  CofferError,
  CreditRefusedError,
  CursorExpiredError,
  HoldRefusedError,
  InsufficientBalanceError,
  InvalidClientError,
  InvalidRequestError,
  isCofferError,
  LinkCodeInvalidError,
  NotAllowedError,
  OutcomeUnknownError,
  RateLimitedError,
  RefundRefusedError,
  ReplayMismatchError,
  ServiceUnavailableError,
  SpendLimitExceededError,
  UnexpectedResponseError,
  UserNotFoundError,
  WalletInactiveError,
  type CofferErrorCode,
  type CofferErrorDetails,
  type OriginalOutcome,
} from './errors.ts'
export { createVerifier } from './create-verifier.ts'
export { InvalidWebhookError, type InvalidWebhookCode } from './webhook/invalid-webhook-error.ts'
export { verifyWebhook } from './webhook/verify-webhook.ts'
export type * from './types.ts'
export type * from './event-types.ts'
export type * from './webhook/manage-types.ts'
export type { WebhookCalls } from './webhook/create-webhook-calls.ts'
export type * from './webhook/types.ts'
