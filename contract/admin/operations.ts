/** Looking up and listing operations in the admin area. */
import { z } from 'zod'
import {
  ANY_ADMIN_GET,
  clientId,
  defineAdminEndpoint,
  nextCursor,
  operationKind as kind,
  page,
} from './endpoint.ts'
import * as shape from '../shapes.ts'

const person = z.object({
  id: z.string(),
  name: z.string().nullable().describe('null: the person was erased.'),
})

const decision = z.object({
  status: z.enum(['posted', 'refused']),
  kind,
  amount: shape.money.describe('The requested amount.'),
  code: z.string().nullable().describe('Why it was refused; null when posted.'),
  balance: shape.money
    .nullable()
    .describe('The balance right after the operation, as returned to the client app.'),
  debt: shape.money.describe(
    'What it added to the debt of the person; negative: what it paid off.',
  ),
  refunded: shape.money.describe('Of a charge: how much of it its client app has refunded.'),
  description: z.string().nullable(),
  decidedAt: shape.timestamp,
  person,
  transactionId: shape.transactionId.nullable().describe('As the person sees it; null: refused.'),
  appTransactionId: shape.transactionId
    .nullable()
    .describe('As the client app sees it; null: refused, or of the service itself.'),
})

export const lookUpOperation = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/operations',
  summary: 'Look up an operation',
  description:
    'Looks up a reference, or a transaction id as shown to a client app or a person. Returns durable outcomes only, and also reports that there is none.',
  role: 'viewer',
  input: z.object({
    clientId: clientId
      .optional()
      .describe(
        'The client app that used the reference. Absent: a reference of the service itself.',
      ),
    referenceType: shape.referenceType.optional(),
    referenceId: shape.referenceId.optional(),
    transactionId: z
      .string()
      .regex(/^txn_[0-9a-f]{32}$/)
      .optional()
      .describe(
        'Instead of the reference: as this client app sees it; without clientId, as the person or any client app sees it.',
      ),
  }),
  response: z.object({
    clientApp: z
      .object({ clientId: z.string(), name: z.string() })
      .nullable()
      .describe('The client app that used the reference; null: the service itself.'),
    referenceType: z.string(),
    referenceId: z.string(),
    currency: shape.currency,
    decision: decision.nullable().describe('null: nothing was decided.'),
    attempts: z
      .array(
        z.object({
          at: shape.timestamp,
          kind,
          amount: shape.money,
          differs: z.array(
            z.enum([
              'amount',
              'serviceUserId',
              'direction',
              'debit',
              'hold',
              'expiresInSeconds',
              'isFinal',
            ]),
          ),
          person: person.nullable().describe('null: nobody had that serviceUserId.'),
        }),
      )
      .describe('Later requests that differed, newest first; none was executed.'),
    hasMoreAttempts: z.boolean(),
    similar: z
      .array(
        z.object({
          referenceType: z.string(),
          referenceId: z.string(),
          description: z.string().nullable(),
          refunded: shape.money,
          createdAt: shape.timestamp,
        }),
      )
      .describe(
        'Of a debit: other debits of the same wallet by the same client app with the same amount, at most ten minutes before or after it.',
      ),
    responses: z
      .array(z.object({ call: z.string(), status: z.number(), body: z.string().describe('JSON.') }))
      .describe('The response that each call returned, and returns again if it is repeated.'),
  }),
  errors: { ...ANY_ADMIN_GET, NOT_FOUND: {} },
})

const listedOperation = z.object({
  id: shape.transactionId.describe('As the person sees it.'),
  kind,
  type: z.enum(['debit', 'credit']).describe('Whether money left the wallet or entered it.'),
  amount: shape.money.describe('What the balance changed by.'),
  debtChange: z.number().describe('What it added to the debt; negative: what it paid off.'),
  createdAt: shape.timestamp,
  referenceType: z.string(),
  referenceId: z.string(),
  clientApp: z
    .object({ clientId: z.string(), name: z.string() })
    .nullable()
    .describe('The client app that used the reference; null: the service itself.'),
  person,
})

export const listOperations = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/operations/recent',
  summary: 'List operations',
  description:
    'Returns posted operations of all wallets, newest first. One request searches a limited time, so a page can have few operations or none and still have a next page.',
  role: 'viewer',
  input: z.object({
    clientId: clientId.optional().describe('What this client app made.'),
    type: z.enum(['debit', 'credit']).optional(),
    kind: kind.optional(),
    minAmount: shape.amount
      .optional()
      .describe('The money that moved, including what changed a debt.'),
    referenceId: shape.referenceId
      .optional()
      .describe('Complete, of any client app and reference type.'),
    from: shape.minute.optional(),
    to: shape.minute.optional().describe('Operations of this minute are included.'),
    ...page,
  }),
  response: z.object({
    operations: z.array(listedOperation),
    currency: shape.currency,
    nextCursor,
    searchedFrom: shape.timestamp
      .nullable()
      .describe('How far back this page searched; null: there is nothing older.'),
    archivedBefore: shape.timestamp
      .nullable()
      .describe('On the last page: older operations are in archived files; null: there are none.'),
  }),
  errors: { ...ANY_ADMIN_GET, NOT_FOUND: {} },
})
