/** Executes several operations in one request. */
import * as shape from '../shapes.ts'
import { z } from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { type ErrorCode, RECORDED_REFUSALS, UNHANDLED_ERROR } from '../errors.ts'
import { captureResponse, expiresInSeconds, holdReference, holdResponse, isFinal } from './holds.ts'
import { BATCH_BODY_MAX_BYTES, BATCH_MAX } from '../limits.ts'
import { metadata } from './metadata.ts'
import { ANY_POST, debitReference, refundResponse } from './operation-fields.ts'

const TYPES = ['debit', 'credit', 'refund', 'hold', 'capture', 'release'] as const

export const batchOperation = z.object({
  type: z
    .enum(TYPES, { error: `must be ${TYPES.slice(0, -1).join(', ')} or ${TYPES.at(-1)}` })
    .describe('The endpoint that executes the other fields.'),
  serviceUserId: shape.serviceUserId.optional().describe('For a debit, credit or hold.'),
  debit: debitReference.optional().describe('For a refund: the reference of the debit or capture.'),
  hold: holdReference.optional().describe('For a capture or release: the reference of the hold.'),
  amount: shape.amount.optional().describe('Required for a debit, credit or hold.'),
  expiresInSeconds: expiresInSeconds.optional().describe('For a hold.'),
  isFinal: isFinal.optional().describe('For a capture.'),
  referenceType: shape.referenceType,
  referenceId: shape.referenceId,
  description: shape.description.optional(),
  metadata: metadata.optional().describe('For a debit, credit, refund or hold.'),
})
/** The errors that a result can have in addition to those of the single call. */
export const BATCH_RESULT_ERRORS = { EARLIER_OPERATION_FAILED: {} } as const
const RESULT_CODES: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'INVALID_AMOUNT',
  'USER_NOT_FOUND',
  'OPERATION_NOT_FOUND',
  'HOLD_SUSPENDED',
  'SECRET_RESTRICTED',
  ...RECORDED_REFUSALS,
  'REFERENCE_MISMATCH',
  'SERVICE_UNAVAILABLE',
  'OUTCOME_UNKNOWN',
  'EARLIER_OPERATION_FAILED',
]
const status = z.int().meta({
  minimum: 200,
  maximum: 599,
  description: 'The status that the single call would have.',
  examples: [200],
})
/** The fields of the responses of all single calls, and of their errors. */
const outcome = {
  ...refundResponse.partial().shape,
  captured: captureResponse.shape.captured.optional(),
  released: captureResponse.shape.released.optional(),
  held: captureResponse.shape.held.optional(),
  expiresAt: holdResponse.shape.expiresAt.optional(),
  error: shape.shown(1000).optional().describe('With an error: what happened and what to do.'),
}
/** The response to the first request with a reference. */
export const originalOutcome = z.object({
  status: status.describe('The status of the first request.'),
  type: z.enum(TYPES).describe('The type of the first request.'),
  ...outcome,
  code: shape
    .errorCode(RECORDED_REFUSALS)
    .optional()
    .describe('If it was refused: the reason, as a code.'),
})
/** The response of the single call: its status, the headers that concern the operation, and its body. */
export const batchResult = z.object({
  status,
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
  ...outcome,
  code: shape
    .errorCode([...RESULT_CODES, UNHANDLED_ERROR.code])
    .optional()
    .describe('With an error: what happened, as a code.'),
  requiresAuth: z.boolean().optional().describe('The user must authenticate in the widget.'),
  field: shape
    .shown(255)
    .optional()
    .describe('With INVALID_REQUEST and INVALID_AMOUNT: the invalid field.'),
  original: originalOutcome
    .optional()
    .describe('With REFERENCE_MISMATCH, if the app refuses repeats that differ.'),
})
export type BatchResult = z.output<typeof batchResult>
const COUNT = { error: `must be an array of 1 to ${BATCH_MAX} operations` }
/** The operations are checked one by one, because an invalid one does not affect the others. */
export const batchOperations = z
  .array(z.unknown(), COUNT)
  .min(1, COUNT)
  .max(BATCH_MAX, COUNT)
  .describe(`1 to ${BATCH_MAX} operations.`)

export const batch = defineEndpoint({
  method: 'POST',
  path: '/api/server/wallet/batch',
  summary: 'Execute a batch of operations',
  description: `Executes up to ${BATCH_MAX} debits, credits, refunds, holds, captures and releases, each as if it had been sent alone: a batch is not atomic. Each operation has its own reference, and its result is at the same position in \`results\`, with the status and the body that the single call returns. Operations on the same wallet run in the given order, so a refund can name an earlier debit of the batch, and a capture can name an earlier hold. If one of them ends with a status of 500 or more, the later ones on that wallet, and those with the same reference, are not executed and get EARLIER_OPERATION_FAILED. Each operation counts toward the rate limit. Repeating a batch is always safe.`,
  scope: 'wallet:write',
  // Each operation needs the scope of its type.
  secretScopes: ['wallet:debit', 'wallet:credit', 'wallet:refund', 'wallet:hold'],
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
