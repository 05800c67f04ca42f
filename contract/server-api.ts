/** The server-to-server API: called by a client app's backend with its clientId and clientSecret. */
import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { RECORDED_REFUSALS, UNHANDLED_ERROR, type ErrorCode } from './errors.ts'
import {
  BATCH_BODY_MAX_BYTES,
  BATCH_MAX,
  LINK_CODE_SECONDS,
  TRANSACTIONS_DEFAULT,
  TRANSACTIONS_MAX,
} from './limits.ts'
import * as shape from './shapes.ts'

const ANY_CALL = {
  BROWSER_NOT_ALLOWED: {},
  INVALID_CLIENT: {},
  INVALID_REQUEST: {},
  RATE_LIMITED: {},
  SERVICE_UNAVAILABLE: {},
} as const
const ANY_POST = { ...ANY_CALL, PAYLOAD_TOO_LARGE: {}, UNSUPPORTED_MEDIA_TYPE: {} } as const

export const readWallet = defineEndpoint({
  method: 'GET',
  path: '/api/server/wallet',
  summary: 'Read a wallet',
  description:
    'Returns the balance, the state and the history, newest first. Entries of other client apps have no reference and no description.',
  scope: 'wallet:read',
  input: z.object({
    serviceUserId: shape.serviceUserId,
    limit: shape.limit.optional().describe(`Default ${TRANSACTIONS_DEFAULT}.`),
    cursor: shape.cursor.optional(),
  }),
  response: z.object({
    balance: shape.money,
    currency: shape.currency,
    isActive: z.boolean(),
    transactions: z.array(shape.transaction).max(TRANSACTIONS_MAX),
    nextCursor: shape.shown(64).nullable().describe('null on the last page.'),
  }),
  errors: { ...ANY_CALL, INSUFFICIENT_SCOPE: {}, USER_NOT_FOUND: { status: 401 } },
})

export const checkBalance = defineEndpoint({
  method: 'GET',
  path: '/api/server/wallet/check-balance',
  summary: 'Check a balance',
  description:
    'Returns whether the balance covers an amount at this moment. The balance can change before you debit it, so rely on the response of the debit only.',
  scope: 'wallet:read',
  input: z.object({ serviceUserId: shape.serviceUserId, requiredAmount: shape.requiredAmount }),
  response: z.object({
    balance: shape.money,
    requiredAmount: shape.money,
    hasSufficientBalance: z.boolean(),
    currency: shape.currency,
  }),
  errors: {
    ...ANY_CALL,
    INSUFFICIENT_SCOPE: {},
    INVALID_AMOUNT: {},
    USER_NOT_FOUND: { status: 401 },
  },
})

const operationInput = z.object({
  serviceUserId: shape.serviceUserId,
  amount: shape.amount,
  referenceType: shape.referenceType,
  referenceId: shape.referenceId,
  description: shape.description.optional(),
})
const operationResponse = z.object({
  balance: shape.money.describe(
    'The balance right after the operation. A replay returns the same value.',
  ),
  message: shape.shown(100).meta({ examples: ['Debit completed.'] }),
  currency: shape.currency,
  transactionId: shape.transactionId,
})
const REPLAY =
  'Idempotent on (referenceType, referenceId): a repeated request returns the original outcome, including a refusal, with the header `Idempotency-Replayed: true`. If the repeated request differs, the header `Idempotency-Mismatch` lists the fields that differ, and nothing is executed. Use a new referenceId for a new attempt.'

export const debit = defineEndpoint({
  method: 'POST',
  path: '/api/server/wallet/debit',
  summary: 'Debit a wallet',
  description: `Takes money from the wallet. The balance never becomes negative. ${REPLAY}`,
  scope: 'wallet:write',
  input: operationInput,
  response: operationResponse,
  errors: {
    ...ANY_POST,
    INSUFFICIENT_SCOPE: {},
    INVALID_AMOUNT: {},
    USER_NOT_FOUND: { status: 404 },
    INSUFFICIENT_BALANCE: {},
    WALLET_INACTIVE: {},
    // A debit that reuses the reference of a refused credit returns that refusal.
    CREDIT_LIMIT_EXCEEDED: {},
    BALANCE_LIMIT: {},
    OUTCOME_UNKNOWN: {},
  },
})

export const credit = defineEndpoint({
  method: 'POST',
  path: '/api/server/wallet/credit',
  summary: 'Credit a wallet',
  description: `Adds money to the wallet, for example a refund with its own reference. A frozen wallet accepts credits. ${REPLAY}`,
  scope: 'wallet:write',
  input: operationInput,
  response: operationResponse,
  errors: debit.errors,
})

export const batchOperation = operationInput.extend({
  type: z
    .enum(['debit', 'credit'], { error: 'must be debit or credit' })
    .describe('The endpoint that executes the other fields: a debit or a credit.'),
})
/** What a result can have in addition to the errors of the single call. */
export const BATCH_RESULT_ERRORS = { EARLIER_OPERATION_FAILED: {} } as const
const RESULT_CODES: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'INVALID_AMOUNT',
  'USER_NOT_FOUND',
  ...RECORDED_REFUSALS,
  'SERVICE_UNAVAILABLE',
  'OUTCOME_UNKNOWN',
  'EARLIER_OPERATION_FAILED',
]
/** The response of the single call: its status, the headers that concern the operation, and its body. */
export const batchResult = z.object({
  status: z.int().meta({
    minimum: 200,
    maximum: 599,
    description: 'The status that the single call would have.',
    examples: [200],
  }),
  idempotencyReplayed: z
    .literal(true)
    .optional()
    .describe('Present if the single call would have the header Idempotency-Replayed.'),
  idempotencyMismatch: shape
    .shown(64)
    .optional()
    .describe('The value that the header Idempotency-Mismatch of the single call would have.'),
  retryAfter: z.int().optional().meta({
    minimum: 1,
    maximum: 86_400,
    description: 'The seconds that the header Retry-After of the single call would have.',
  }),
  ...operationResponse.partial().shape,
  error: shape.shown(1000).optional().describe('With an error: what happened and what to do.'),
  code: shape
    .errorCode([...RESULT_CODES, UNHANDLED_ERROR.code])
    .optional()
    .describe('With an error: what happened, for programs.'),
  requiresAuth: z.boolean().optional().describe('The user must authenticate in the widget.'),
  field: shape.shown(255).optional().describe('With INVALID_REQUEST: the invalid field.'),
})
export type BatchResult = z.output<typeof batchResult>
const COUNT = { error: `must be an array of 1 to ${BATCH_MAX} operations` }
/** The operations are checked one by one, because an invalid one does not affect the others. */
export const batchOperations = z
  .array(z.unknown(), COUNT)
  .min(1, COUNT)
  .max(BATCH_MAX, COUNT)
  .describe(`1 to ${BATCH_MAX} debits and credits.`)

export const batch = defineEndpoint({
  method: 'POST',
  path: '/api/server/wallet/batch',
  summary: 'Execute a batch of debits and credits',
  description: `Executes up to ${BATCH_MAX} debits and credits, each as if it had been sent alone: a batch is not atomic. Each operation has its own reference, and its result is at the same position in \`results\`, with the status and the body that the single call returns. Operations on the same wallet run in the given order. If one of them ends with a status of 500 or more, the later ones on that wallet are not executed and get EARLIER_OPERATION_FAILED. A batch counts as its number of operations for the rate limit. Repeating it is always safe.`,
  scope: 'wallet:write',
  bodyMaxBytes: BATCH_BODY_MAX_BYTES,
  input: z.object({ operations: batchOperations }),
  response: z.object({ results: z.array(batchResult).min(1).max(BATCH_MAX) }),
  errors: {
    ...ANY_POST,
    PAYLOAD_TOO_LARGE: {
      text: `The request body is too large. Send at most ${BATCH_BODY_MAX_BYTES / 1024} KiB.`,
    },
    INSUFFICIENT_SCOPE: {},
    OUTCOME_UNKNOWN: {},
  },
})

export const findOperation = defineEndpoint({
  method: 'GET',
  path: '/api/server/operations',
  summary: 'Look up an operation',
  description:
    'Returns the recorded outcome of a reference, for example after a debit or credit timed out. Returns durable outcomes only.',
  scope: 'wallet:read',
  input: z.object({ referenceType: shape.referenceType, referenceId: shape.referenceId }),
  response: shape.decidedOperation,
  errors: { ...ANY_CALL, INSUFFICIENT_SCOPE: {}, OPERATION_NOT_FOUND: {} },
})

export const exchangeLinkCode = defineEndpoint({
  method: 'POST',
  path: '/api/server/link/exchange',
  summary: 'Exchange a link code',
  description: `Exchanges the linkCode of SERVICE_AUTH_SUCCESS for the serviceUserId, which proves that this user linked this client app. The code is valid for ${LINK_CODE_SECONDS} seconds. Within that time the same request returns the same response, so a lost response can be requested again. A code that was issued for a challenge requires its verifier, which proves that the user who logged in to the widget is the one whose session in your app asked for it.`,
  input: z.object({
    linkCode: shape
      .matching(
        /^[\x21-\x7e]{1,128}$/,
        'the linkCode of SERVICE_AUTH_SUCCESS, a string of 1 to 128 printable ASCII characters without spaces',
      )
      .meta({
        minLength: 1,
        maxLength: 128,
        pattern: String.raw`^[\x21-\x7e]*$`,
        examples: ['lc_0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a6978'],
      }),
    verifier: shape.verifier.optional(),
  }),
  response: z.object({ serviceUserId: shape.serviceUserId }),
  errors: { ...ANY_POST, LINK_CODE_INVALID: {}, LINK_PROOF_REQUIRED: {} },
})

/** In the order of the documentation. */
export const SERVER_ENDPOINTS = {
  readWallet,
  checkBalance,
  debit,
  credit,
  batch,
  findOperation,
  exchangeLinkCode,
}
