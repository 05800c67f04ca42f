/** The accounting statements of client apps in the admin area. */
import { z } from 'zod'
import { ANY_ADMIN_GET, defineAdminEndpoint, nothing } from './endpoint.ts'
import * as shape from '../shapes.ts'

const movement = z.object({
  count: z.number(),
  amount: shape.money.describe('Major units, without a sign.'),
})

const statementPeriod = {
  clientId: shape.id,
  from: shape.day.describe('The first day, UTC.'),
  to: shape.day.describe('The last day, UTC, included. At most 366 days after from.'),
}

export const readStatement = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/client-apps/statement',
  summary: 'Summarize a client app’s statement',
  description:
    'Returns the opening balance, the closing balance and the totals between them. A positive balance is what the platform owes the app.',
  role: 'viewer',
  input: z.object(statementPeriod),
  response: z.object({
    currency: shape.currency,
    opening: shape.money,
    debits: movement,
    credits: movement,
    closing: shape.money,
    until: shape.timestamp.describe(
      'The end of the last day; if that is not over, some seconds ago. Later operations belong to a later statement.',
    ),
  }),
  errors: { ...ANY_ADMIN_GET, NOT_FOUND: {} },
})

/** Streams text/csv. */
export const exportStatement = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/client-apps/statement.csv',
  summary: 'Export a client app’s statement',
  description: 'Returns the statement with every operation as a CSV file.',
  role: 'viewer',
  input: z.object(statementPeriod),
  response: nothing,
  errors: { ...ANY_ADMIN_GET, NOT_FOUND: {} },
})
