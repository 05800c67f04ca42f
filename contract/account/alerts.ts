/** Emails about large payments and a low balance. */
import { z } from 'zod'
import { ANY_PERSON_POST } from './errors.ts'
import { defineEndpoint } from '../endpoint.ts'
import * as shape from '../shapes.ts'

const threshold = shape.money.nullable()

export const alerts = z.object({
  paymentMin: threshold.describe(
    'The person gets an email about payments of at least this amount; null: no emails.',
  ),
  balanceMin: threshold.describe(
    'The person gets an email when the balance falls below this amount; null: no emails.',
  ),
})

export const setAlerts = defineEndpoint({
  method: 'POST',
  path: '/api/account/alerts',
  summary: 'Choose the emails about payments and the balance',
  description:
    'Replaces both amounts; a field that is absent switches the emails off. Payments are debits and captures of apps. One email is sent when the balance falls below the amount. The next one is sent only after the balance has reached the amount again. At most six emails of each kind per hour are sent; one email can list several payments.',
  input: z.object({
    paymentMin: shape.amount.optional(),
    balanceMin: shape.amount.optional(),
  }),
  response: z.object({}),
  errors: ANY_PERSON_POST,
})
