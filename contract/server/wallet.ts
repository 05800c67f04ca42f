/** The server-to-server API: called by a client app's backend with its clientId and clientSecret. */
import { z } from 'zod'
import { batch } from './batch.ts'
import { defineEndpoint } from '../endpoint.ts'
import { readEvents } from './events.ts'
import { capture, hold, listHolds, release } from './holds.ts'
import { LINK_CODE_SECONDS, TRANSACTIONS_DEFAULT, TRANSACTIONS_MAX } from '../limits.ts'
import {
  ANY_CALL,
  ANY_POST,
  decidedOperation,
  listedOperation,
  operationInput,
  operationResponse,
  REPLAY,
  refundInput,
  refundResponse,
} from './operation-fields.ts'
import * as shape from '../shapes.ts'
import { WEBHOOK_ENDPOINTS } from './webhooks.ts'

export const readWallet = defineEndpoint({
  method: 'GET',
  path: '/api/server/wallet',
  summary: 'Read a wallet',
  description:
    'Returns the balance, the state and the history, newest first. Entries of other client apps have no reference and no description. A capture that returns nothing to the balance is not listed, so a page can have fewer entries than the limit.',
  scope: 'wallet:read',
  secretScopes: ['wallet:read'],
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
  secretScopes: ['wallet:read'],
  input: z.object({ serviceUserId: shape.serviceUserId, requiredAmount: shape.requiredAmount }),
  response: z.object({
    balance: shape.money,
    requiredAmount: shape.money,
    hasSufficientBalance: z.boolean(),
    spendable: shape.money.describe(
      'The largest amount that one debit or hold of your app can take now: the balance, or less if the user limits what your app may take.',
    ),
    currency: shape.currency,
  }),
  errors: {
    ...ANY_CALL,
    INSUFFICIENT_SCOPE: {},
    INVALID_AMOUNT: {},
    USER_NOT_FOUND: { status: 401 },
  },
})

export const debit = defineEndpoint({
  method: 'POST',
  path: '/api/server/wallet/debit',
  summary: 'Debit a wallet',
  description: `Takes money from the wallet. The balance never becomes negative, and your app never takes more than the user lets it take. ${REPLAY}`,
  scope: 'wallet:write',
  secretScopes: ['wallet:debit'],
  input: operationInput,
  response: operationResponse,
  errors: {
    ...ANY_POST,
    INSUFFICIENT_SCOPE: {},
    INVALID_AMOUNT: {},
    USER_NOT_FOUND: { status: 404 },
    INSUFFICIENT_BALANCE: {},
    WALLET_INACTIVE: {},
    WALLET_CLOSED: {},
    SPEND_LIMIT_EXCEEDED: {},
    // A debit that reuses the reference of a refused credit returns that refusal.
    CREDIT_LIMIT_EXCEEDED: {},
    BALANCE_LIMIT: {},
    // The reference belongs to an operation of another type, or the app refuses repeats that differ.
    REFERENCE_MISMATCH: {},
    OUTCOME_UNKNOWN: {},
  },
})

export const credit = defineEndpoint({
  method: 'POST',
  path: '/api/server/wallet/credit',
  summary: 'Credit a wallet',
  description: `Adds money to the wallet. A frozen wallet accepts credits. To return money of a debit, use a refund: it cannot exceed the debit. ${REPLAY}`,
  scope: 'wallet:write',
  secretScopes: ['wallet:credit'],
  input: operationInput,
  response: operationResponse,
  errors: debit.errors,
})

export const refund = defineEndpoint({
  method: 'POST',
  path: '/api/server/wallet/refund',
  summary: 'Refund a debit',
  description: `Returns money of one of your debits or captures to the wallet, completely or in parts, and never more than was debited. It also works if the wallet is frozen or the user has unlinked your app. ${REPLAY}`,
  scope: 'wallet:write',
  secretScopes: ['wallet:refund'],
  input: refundInput,
  response: refundResponse,
  errors: {
    ...ANY_POST,
    INSUFFICIENT_SCOPE: {},
    INVALID_AMOUNT: {},
    OPERATION_NOT_FOUND: {
      text: 'Your app has no debit or capture with the referenceType and referenceId in the field debit, so nothing was refunded. Check the reference.',
    },
    REFUND_EXCEEDS_DEBIT: {},
    WALLET_CLOSED: {},
    CREDIT_LIMIT_EXCEEDED: {},
    BALANCE_LIMIT: {},
    REFERENCE_MISMATCH: {},
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
  secretScopes: ['wallet:read'],
  input: z.object({ referenceType: shape.referenceType, referenceId: shape.referenceId }),
  response: decidedOperation,
  errors: { ...ANY_CALL, INSUFFICIENT_SCOPE: {}, OPERATION_NOT_FOUND: {} },
})

export const listOwnOperations = defineEndpoint({
  method: 'GET',
  path: '/api/server/operations/list',
  summary: 'List your operations',
  description:
    'Returns the debits, credits, refunds, holds, captures and releases of your app, newest first, in an order that does not change. A page can have fewer operations than the limit, or none, and still have a next page, because a long period is searched in parts: continue until nextCursor is null.',
  scope: 'wallet:read',
  secretScopes: ['wallet:read'],
  input: z.object({
    from: shape.day.optional().describe('The first day, UTC.'),
    to: shape.day.optional().describe('The last day, UTC, included.'),
    limit: shape.limit.optional().describe(`Default ${TRANSACTIONS_DEFAULT}.`),
    cursor: shape.cursor.optional(),
  }),
  response: z.object({
    operations: z.array(listedOperation).max(TRANSACTIONS_MAX),
    nextCursor: shape.shown(64).nullable().describe('null on the last page.'),
    archivedBefore: shape.timestamp
      .nullable()
      .describe('Set if older operations are archived and not listed. Ask the operator for them.'),
  }),
  errors: { ...ANY_CALL, INSUFFICIENT_SCOPE: {} },
})

const month = shape.matching(/^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])$/, 'a month such as 2026-11').meta({
  description: 'A calendar month in UTC.',
  pattern: '^[0-9]{4}[-][0-9]{2}$',
  maxLength: 7,
  examples: ['2026-11'],
})

export const exportOperations = defineEndpoint({
  method: 'GET',
  path: '/api/server/operations/export',
  summary: 'Export the operations of a month',
  description:
    'Returns all operations of your app in a calendar month (UTC) as a stream of lines, each with one operation as JSON, in the order and with the fields of the list. The totals match the operator’s statement. The export of the current month ends at the time of the request. An app can run one export at a time. If the connection ends early, the export is not complete: request it again. Close the connection to end it.',
  scope: 'wallet:read',
  secretScopes: ['wallet:read'],
  input: z.object({ month }),
  response: listedOperation,
  isNdjson: true,
  errors: { ...ANY_CALL, INSUFFICIENT_SCOPE: {} },
})

export const exchangeLinkCode = defineEndpoint({
  method: 'POST',
  path: '/api/server/link/exchange',
  summary: 'Exchange a link code',
  description: `Exchanges the linkCode of SERVICE_AUTH_SUCCESS for the serviceUserId, which proves that this user linked this client app. The code is valid for ${LINK_CODE_SECONDS} seconds. Within that time the same request returns the same response, so you can repeat it if the response is lost. The verifier proves that the user who logged in to the widget is the one whose session in your app requested the link.`,
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
    verifier: shape.verifier,
  }),
  response: z.object({ serviceUserId: shape.serviceUserId }),
  errors: { ...ANY_POST, LINK_CODE_INVALID: {} },
})

/** In the order of the documentation. */
export const SERVER_ENDPOINTS = {
  readWallet,
  checkBalance,
  debit,
  credit,
  refund,
  hold,
  capture,
  release,
  listHolds,
  batch,
  findOperation,
  listOwnOperations,
  exportOperations,
  readEvents,
  ...WEBHOOK_ENDPOINTS,
  exchangeLinkCode,
}
