/** The limits of what linked apps may take. */
import { z } from 'zod'
import { ANY_PERSON_POST } from './errors.ts'
import { defineEndpoint } from '../endpoint.ts'
import { signed } from '../passkey-shapes.ts'
import * as shape from '../shapes.ts'

const max = shape.money.nullable().describe('null: no limit.')
const spent = shape.money.describe('The amount that the app took in the current period.')

/** The limit of one app. */
export const spendLimit = z.object({
  singleMax: max,
  dayMax: max,
  weekMax: max,
  monthMax: max,
  daySpent: spent,
  weekSpent: spent,
  monthSpent: spent,
  lastDay: shape.day.nullable().describe('The last day on which the app may take money.'),
  timeZone: z.string(),
})

const given = shape.requiredAmount.optional()

export const setSpendLimit = defineEndpoint({
  method: 'POST',
  path: '/api/account/spend-limit',
  summary: 'Limit what an app may take',
  description:
    'Replaces the limit of a linked app; a field that is absent means no limit. Amounts have the format of a debit’s amount; 0 is also allowed. As soon as this call returns, debits and holds that exceed a limit are refused. What the app has already taken in the current day, week and month counts toward the limits. A change of the time zone applies to the next periods. A change that lets the app take more than its limit (a higher amount, a later last day, another time zone, no limit) requires the password or a passkey, and the person gets an email; anything else requires neither.',
  input: z.object({
    clientId: shape.id,
    singleMax: given.describe('The largest single debit or hold.'),
    dayMax: given.describe('The most per day.'),
    weekMax: given.describe('The most per week, from Monday.'),
    monthMax: given.describe('The most per month.'),
    lastDay: shape.day.optional().describe('The last day on which the app may take money.'),
    timeZone: shape.timeZone,
    password: shape.password.optional(),
    passkey: signed
      .optional()
      .describe(
        'Instead of the password: a signature of the challenge for a login with a passkey.',
      ),
  }),
  response: z.object({}),
  errors: {
    ...ANY_PERSON_POST,
    LOGIN_FAILED: {},
    PASSKEY_INVALID: {},
    CONFIRMATION_REQUIRED: {
      text: 'This change would let the app take more than now. Confirm it with the password or a passkey.',
    },
  },
})
