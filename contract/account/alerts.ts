/** Emails about large payments and a low balance. */
import { z } from 'zod'
import { ANY_PERSON_POST } from './errors.ts'
import { defineEndpoint } from '../endpoint.ts'
import * as shape from '../shapes.ts'

const off = shape.money.nullable()

export const alerts = z.object({
  paymentMin: off.describe(
    'The person gets an email about payments of at least this amount; null: about none.',
  ),
  balanceMin: off.describe(
    'The person gets an email when the balance falls below this amount; null: never.',
  ),
})

export const setAlerts = defineEndpoint({
  method: 'POST',
  path: '/api/account/alerts',
  summary: 'Choose the emails about payments and the balance',
  description:
    'Replaces both amounts; a field that is absent switches the emails off. Payments are debits and captures of apps. There is one email when the balance falls below the amount, and none until it was at least that amount again. At most six emails of each kind per hour are sent; one email can list several payments.',
  input: z.object({
    paymentMin: shape.amount.optional(),
    balanceMin: shape.amount.optional(),
  }),
  response: z.object({}),
  errors: ANY_PERSON_POST,
})
