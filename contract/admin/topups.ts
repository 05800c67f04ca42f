/** Top-ups, their refunds and disputes in the admin area. */
import { z } from 'zod'
import {
  ANY_ADMIN_GET,
  ANY_ADMIN_POST,
  clientId,
  defineAdminEndpoint,
  nextCursor,
  page,
} from './endpoint.ts'
import * as shape from '../shapes.ts'

const uuid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const topupState = z.enum(['open', 'credited', 'ended'])
const refundState = z
  .enum(['reserved', 'sent', 'released', 'refused'])
  .describe(
    'reserved: the service is sending it and retries automatically. released: the processor refused it and the money is back in the wallet. refused: the balance was too low.',
  )

const listedTopup = z.object({
  id: z.string(),
  state: topupState,
  amount: shape.money,
  refunded: shape.money.describe('Sent to the card, or about to be.'),
  disputeStatus: z.string().nullable().describe('Of the newest dispute, in the processor’s words.'),
  intentId: z.string().nullable(),
  createdAt: shape.timestamp,
  isAutomatic: z
    .boolean()
    .describe('Started by the service because the balance was low, as the person agreed.'),
  person: z.object({ id: z.string(), name: z.string().nullable() }),
  clientApp: z
    .object({ clientId: z.string(), name: z.string() })
    .nullable()
    .describe('Where it was started; null: at /account.'),
})

export const listTopups = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/topups',
  summary: 'List top-ups',
  description: 'Newest first.',
  role: 'viewer',
  input: z.object({
    search: shape
      .text(0, 254)
      .optional()
      .describe('The id of a payment intent, refund, dispute or top-up, or a person’s email.'),
    state: topupState.optional(),
    having: z.enum(['refund', 'dispute']).optional(),
    personId: z
      .string()
      .regex(/^\d{1,18}$/)
      .optional(),
    clientId: clientId.optional(),
    ...shape.days,
    ...page,
  }),
  response: z.object({ topups: z.array(listedTopup), currency: shape.currency, nextCursor }),
  errors: ANY_ADMIN_GET,
})

const movement = z.object({
  at: shape.timestamp,
  balance: shape.money.describe('The change of the balance.'),
  debt: shape.money.describe('The change of the debt.'),
})

export const readTopup = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/topups/one',
  summary: 'Read a top-up',
  description: 'Returns the top-up with its fees, refunds, disputes and wallet.',
  role: 'viewer',
  input: z.object({ id: uuid }),
  response: listedTopup.extend({
    currency: shape.currency,
    endedAt: shape.timestamp.nullable(),
    reportedBy: z
      .enum(['page', 'webhook', 'sweeper', 'command'])
      .nullable()
      .describe('What reported the payment first; null: not recorded.'),
    nextCheckAt: shape.timestamp.nullable().describe('When the processor is asked next, if open.'),
    refusal: z.string().nullable().describe('Paid, but the ledger could not take it: why.'),
    debtPaid: shape.money.describe('The part that paid off a debt.'),
    refundable: shape.money,
    wallet: z.object({ balance: shape.money, debt: shape.money, isActive: z.boolean() }),
    fees: z.array(
      z.object({
        of: z.enum(['payment', 'refund', 'dispute']),
        amount: shape.money,
        currency: shape.currency.describe(
          'The currency of the balance at the processor, in which it deducts the fee.',
        ),
      }),
    ),
    refunds: z.array(
      z.object({
        id: z.string(),
        processorId: z.string().nullable(),
        state: refundState,
        amount: shape.money,
        reason: z.string().nullable(),
        isMadeAtProcessor: z.boolean().describe('Whether it was made directly at the processor.'),
        createdAt: shape.timestamp,
        nextCheckAt: shape.timestamp.nullable().describe('When it is tried again, if reserved.'),
      }),
    ),
    disputes: z.array(
      z.object({
        id: z.string(),
        status: z.string(),
        reason: z.string(),
        amount: shape.money,
        openedAt: shape.timestamp,
        respondBy: shape.timestamp.nullable(),
        withdrawn: z.array(movement),
        reinstated: z.array(movement),
      }),
    ),
  }),
  errors: { ...ANY_ADMIN_GET, NOT_FOUND: {} },
})

export const refundTopup = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/topups/refund',
  summary: 'Refund a top-up',
  description:
    'Refunds all or part of the top-up to the card, once per refundId. A repeated request returns the state of that refund.',
  role: 'operator',
  needsConfirmation: true,
  input: z.object({
    refundId: uuid.describe('Made by the caller; a new one for each refund.'),
    topupId: uuid,
    amount: shape.amount,
    reason: shape.reason,
  }),
  response: z.object({ state: refundState }),
  errors: {
    ...ANY_ADMIN_POST,
    OPERATOR_FORBIDDEN: {},
    CONFIRMATION_REQUIRED: {},
    NOT_FOUND: {},
    // Also returned if the amount exceeds what can be refunded.
    INVALID_AMOUNT: {},
    INSUFFICIENT_BALANCE: {},
    PAYMENT_PROVIDER_ERROR: {},
    OUTCOME_UNKNOWN: {},
  },
})
