/** Reserves money of a wallet, and captures or releases it later. */
import { z } from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import {
  HOLD_SECONDS_DEFAULT,
  HOLD_SECONDS_MAX,
  HOLD_SECONDS_MIN,
  TRANSACTIONS_DEFAULT,
  TRANSACTIONS_MAX,
} from '../limits.ts'
import { ANY_CALL, ANY_POST, operationInput, REPLAY } from './operation-fields.ts'
import * as shape from '../shapes.ts'

const SECONDS = {
  error: `must be an integer from ${HOLD_SECONDS_MIN} to ${HOLD_SECONDS_MAX}`,
}
const FINAL = { error: 'must be true or false' }

/** The hold that a capture or release refers to. */
export const holdReference = z
  .object(
    { referenceType: shape.referenceType, referenceId: shape.referenceId },
    { error: 'must be an object with the referenceType and the referenceId of the hold' },
  )
  .meta({ description: 'The reference of the hold.' })

export const expiresInSeconds = z
  .int(SECONDS)
  .min(HOLD_SECONDS_MIN, SECONDS)
  .max(HOLD_SECONDS_MAX, SECONDS)
  .meta({
    description: `After this time the hold expires. Default ${HOLD_SECONDS_DEFAULT} (7 days).`,
    examples: [3600],
  })
export const isFinal = z
  .boolean(FINAL)
  .describe(
    'Whether the rest of the hold is released. Default true; false keeps it for further captures.',
  )

export const holdInput = operationInput.extend({ expiresInSeconds: expiresInSeconds.optional() })
export const captureInput = z.object({
  hold: holdReference,
  amount: shape.amount.optional().meta({
    description: 'As in a debit. Without it, everything that is left of the hold is captured.',
    examples: [5],
  }),
  isFinal: isFinal.optional(),
  referenceType: shape.referenceType,
  referenceId: shape.referenceId,
  description: shape.description.optional(),
})
export const releaseInput = z.object({
  hold: holdReference,
  referenceType: shape.referenceType,
  referenceId: shape.referenceId,
  description: shape.description.optional(),
})

const balance = shape.money
  .nullable()
  .describe(
    'The balance right after the operation; null if the user has unlinked the app. A replay returns the same value.',
  )
const common = { currency: shape.currency, transactionId: shape.transactionId }
const held = shape.money.describe('How much of the hold is left after the operation.')

export const holdResponse = z.object({
  balance: shape.money.describe(
    'The balance right after the hold, without the held amount. A replay returns the same value.',
  ),
  held: shape.money.describe('The amount of the hold.'),
  expiresAt: shape.timestamp.describe('When the hold expires.'),
  message: shape.shown(100).meta({ examples: ['Hold placed.'] }),
  ...common,
})
export const captureResponse = z.object({
  balance,
  captured: shape.money.describe('The amount of this capture.'),
  released: shape.money.describe('How much of the hold went back to the wallet.'),
  held,
  message: shape.shown(100).meta({ examples: ['Capture completed.'] }),
  ...common,
})
export const releaseResponse = z.object({
  balance,
  released: shape.money.describe('How much went back to the wallet.'),
  held,
  message: shape.shown(100).meta({ examples: ['Hold released.'] }),
  ...common,
})

export const hold = defineEndpoint({
  method: 'POST',
  path: '/api/server/wallet/hold',
  summary: 'Hold money in a wallet',
  description: `Reserves money for your app: it leaves the balance and cannot be spent elsewhere. Capture it to receive it, or release it. A hold that is neither captured nor released in time expires, and the money is back in the balance. ${REPLAY}`,
  scope: 'wallet:write',
  secretScopes: ['wallet:hold'],
  input: holdInput,
  response: holdResponse,
  errors: {
    ...ANY_POST,
    INSUFFICIENT_SCOPE: {},
    INVALID_AMOUNT: {},
    USER_NOT_FOUND: { status: 404 },
    INSUFFICIENT_BALANCE: {},
    WALLET_INACTIVE: {},
    WALLET_CLOSED: {},
    SPEND_LIMIT_EXCEEDED: {},
    REFERENCE_MISMATCH: {},
    OUTCOME_UNKNOWN: {},
  },
})

const NO_HOLD = {
  text: 'Your app has no hold with the referenceType and referenceId in the field hold, so nothing was executed. Check the reference of the hold.',
}

export const capture = defineEndpoint({
  method: 'POST',
  path: '/api/server/wallet/capture',
  summary: 'Capture a hold',
  description: `Takes money from one of your holds, completely or in parts, and never more than is left of it. Without \`isFinal: false\` the rest is released. It also works if the wallet is frozen or the user has unlinked your app. ${REPLAY}`,
  scope: 'wallet:write',
  secretScopes: ['wallet:hold'],
  input: captureInput,
  response: captureResponse,
  errors: {
    ...ANY_POST,
    INSUFFICIENT_SCOPE: {},
    INVALID_AMOUNT: {},
    OPERATION_NOT_FOUND: NO_HOLD,
    CAPTURE_EXCEEDS_HOLD: {},
    HOLD_EXPIRED: {},
    HOLD_CLOSED: {},
    HOLD_SUSPENDED: {},
    REFERENCE_MISMATCH: {},
    OUTCOME_UNKNOWN: {},
  },
})

export const release = defineEndpoint({
  method: 'POST',
  path: '/api/server/wallet/release',
  summary: 'Release a hold',
  description: `Ends one of your holds: everything that is left of it goes back to the wallet. It also works if the wallet is frozen or the user has unlinked your app. ${REPLAY}`,
  scope: 'wallet:write',
  secretScopes: ['wallet:hold'],
  input: releaseInput,
  response: releaseResponse,
  errors: {
    ...ANY_POST,
    INSUFFICIENT_SCOPE: {},
    OPERATION_NOT_FOUND: NO_HOLD,
    HOLD_EXPIRED: {
      text: 'The hold has expired, so its money is already back in the wallet. There is nothing to release.',
    },
    HOLD_CLOSED: {
      text: 'There is nothing to release: the hold was captured completely, it was released before, or it was refused when it was placed. GET /api/server/holds shows its state. To return money of a capture, refund the capture.',
    },
    REFERENCE_MISMATCH: {},
    OUTCOME_UNKNOWN: {},
  },
})

export const listHolds = defineEndpoint({
  method: 'GET',
  path: '/api/server/holds',
  summary: 'List your holds',
  description: 'Returns the holds of your app, newest first.',
  scope: 'wallet:read',
  secretScopes: ['wallet:read'],
  input: z.object({
    serviceUserId: shape.serviceUserId.optional().describe('Only the holds of this user.'),
    state: shape.holdState.optional().describe('Only the holds in this state.'),
    limit: shape.limit.optional().describe(`Default ${TRANSACTIONS_DEFAULT}.`),
    cursor: shape.cursor.optional(),
  }),
  response: z.object({
    holds: z.array(shape.listedHold).max(TRANSACTIONS_MAX),
    nextCursor: shape.shown(64).nullable().describe('null on the last page.'),
  }),
  errors: { ...ANY_CALL, INSUFFICIENT_SCOPE: {}, USER_NOT_FOUND: { status: 404 } },
})
