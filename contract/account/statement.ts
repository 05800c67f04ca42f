/** The statement of a month. */
import { z } from 'zod'
import { ANY_PERSON_GET } from './errors.ts'
import { defineEndpoint } from '../endpoint.ts'
import { STATEMENT_ENTRIES_MAX } from '../limits.ts'
import * as shape from '../shapes.ts'

export const readOwnStatement = defineEndpoint({
  method: 'GET',
  path: '/api/account/statement',
  summary: 'Read the statement of a month',
  description: `Returns all entries of the wallet in a month of the time zone, oldest first, with the balance before and after them. opening + totalIn - totalOut = closing. A month with archived entries, or with more than ${STATEMENT_ENTRIES_MAX}, is rejected. The CSV file contains all entries that are not archived.`,
  input: z.object({
    month: shape
      .matching(/^2\d{3}-(0[1-9]|1[0-2])$/, 'a month such as 2026-01')
      .meta({ maxLength: 7, examples: ['2026-01'] }),
    timeZone: shape.timeZone,
  }),
  response: z.object({
    from: shape.timestamp.describe('The start of the month.'),
    before: shape.timestamp.describe('The start of the next month.'),
    opening: shape.money.describe('The balance at the start of the month.'),
    totalIn: shape.money,
    totalOut: shape.money,
    closing: shape.money.describe('The balance at the end of the month; now, if it has not ended.'),
    currency: shape.currency,
    transactions: z.array(shape.ownTransaction),
  }),
  errors: ANY_PERSON_GET,
})
