/** The errors and fields that the endpoints of operations share. */
import { z } from 'zod'
import { metadata } from './metadata.ts'
import { RECORDED_REFUSALS } from '../errors.ts'
import * as shape from '../shapes.ts'

export const ANY_CALL = {
  BROWSER_NOT_ALLOWED: {},
  INVALID_CLIENT: {},
  SECRET_RESTRICTED: {},
  NETWORK_NOT_ALLOWED: {},
  INVALID_REQUEST: {},
  RATE_LIMITED: {},
  SERVICE_UNAVAILABLE: {},
} as const
export const ANY_POST = { ...ANY_CALL, PAYLOAD_TOO_LARGE: {}, UNSUPPORTED_MEDIA_TYPE: {} } as const

export const REPLAY =
  'Idempotent on (referenceType, referenceId): a repeated request returns the original outcome, including a refusal, with the header `Idempotency-Replayed: true`. If the repeated request differs, it is not executed, the header `Idempotency-Mismatch` lists the fields that differ, and the response is 409 `REFERENCE_MISMATCH` with the original outcome, or the original outcome itself if the operator has set the client app to `onMismatch: replay`. Use a new referenceId for a new attempt.'

export const operationInput = z.object({
  serviceUserId: shape.serviceUserId,
  amount: shape.amount,
  referenceType: shape.referenceType,
  referenceId: shape.referenceId,
  description: shape.description.optional(),
  metadata: metadata.optional(),
})
export const operationResponse = z.object({
  balance: shape.money.describe(
    'The balance right after the operation. A replay returns the same value.',
  ),
  message: shape.shown(100).meta({ examples: ['Debit completed.'] }),
  currency: shape.currency,
  transactionId: shape.transactionId,
})

/** The debit or capture that a refund returns money of. */
export const debitReference = z
  .object(
    { referenceType: shape.referenceType, referenceId: shape.referenceId },
    {
      error: 'must be an object with the referenceType and the referenceId of the debit or capture',
    },
  )
  .meta({ description: 'The reference of the debit or capture.' })
export const refundInput = z.object({
  debit: debitReference,
  amount: shape.amount.optional().meta({
    description: 'As in a debit. Without it, everything that is left of the debit is refunded.',
    examples: [5],
  }),
  referenceType: shape.referenceType,
  referenceId: shape.referenceId,
  description: shape.description.optional(),
  metadata: metadata.optional(),
})
export const refundResponse = z.object({
  balance: shape.money
    .nullable()
    .describe(
      'The balance right after the refund; null if the user has unlinked the app. A replay returns the same value.',
    ),
  message: shape.shown(100).meta({ examples: ['Refund completed.'] }),
  currency: shape.currency,
  transactionId: shape.transactionId,
  refunded: shape.money.describe('The amount of this refund.'),
  refundable: shape.money.describe('How much of the debit is left after this refund.'),
})

/** The recorded outcome of a reference. */
export const decidedOperation = z.object({
  status: z.enum(['posted', 'refused']),
  type: shape.direction,
  amount: shape.money,
  currency: shape.currency,
  referenceType: shape.referenceType,
  referenceId: shape.referenceId,
  serviceUserId: shape.serviceUserId.describe('The id that the user had when it was decided.'),
  balance: shape.money
    .nullable()
    .describe(
      'The balance right after the operation; null when refused, and for a refund, capture or release after the user has unlinked the app.',
    ),
  transactionId: shape.transactionId.nullable().describe('null when refused.'),
  code: shape
    .errorCode(RECORDED_REFUSALS)
    .nullable()
    .describe('Why it was refused; null when posted.'),
  refundOf: shape.transactionId
    .optional()
    .describe('Only on a refund: the id of the entry of the debit.'),
  refunded: shape.money
    .optional()
    .describe('Only on a debit that was refunded, completely or in part: how much of it.'),
  refundable: shape.money
    .optional()
    .describe('Only on a debit that was refunded, completely or in part: how much of it is left.'),
  createdAt: shape.timestamp,
  metadata: metadata
    .optional()
    .describe('What your app stored with the operation. Absent if it stored nothing.'),
})

/** An operation of the app that lists it. */
export const listedOperation = z.object({
  type: z.enum(['debit', 'credit', 'refund', 'hold', 'capture', 'release']),
  amount: shape.money.describe('The amount that moved, including the part that paid a debt.'),
  currency: shape.currency,
  referenceType: shape.referenceType,
  referenceId: shape.referenceId,
  description: shape.description.nullable(),
  serviceUserId: shape.serviceUserId.describe('The id that the user had at that time.'),
  transactionId: shape.transactionId,
  refundOf: shape.transactionId
    .optional()
    .describe('Only on a refund: the id of the entry of the debit.'),
  holdOf: shape.transactionId
    .optional()
    .describe('Only on a capture or release: the id of the entry of the hold.'),
  createdAt: shape.timestamp,
  metadata: metadata
    .optional()
    .describe('What your app stored with the operation. Absent if it stored nothing.'),
})
