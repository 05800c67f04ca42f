/**
 * Automatic top-ups: the service charges a saved card while the balance is below a threshold, with the person's
 * consent.
 */
import { z } from 'zod'
import { ANY_PERSON_GET, ANY_PERSON_POST } from './errors.ts'
import { defineEndpoint } from '../endpoint.ts'
import * as shape from '../shapes.ts'

const nothing = z.object({})

export const readAutomaticTopup = defineEndpoint({
  method: 'GET',
  path: '/api/account/automatic-topup',
  summary: 'Read the automatic top-up',
  description: 'Returns the settings; automaticTopup is null if automatic top-up is off.',
  input: nothing,
  response: z.object({
    automaticTopup: z
      .object({
        threshold: shape.money,
        amount: shape.money,
        monthMax: shape.money,
        timeZone: shape.shown(64),
        cardId: shape.cardId,
        cardName: shape.shown(80).describe('Brand and last digits.'),
        suspendedFor: z
          .enum(['authentication', 'failures', 'card'])
          .nullable()
          .describe(
            'authentication: the bank requires the cardholder to authenticate. failures: the card was declined several times. card: it was removed. null: it is active.',
          ),
      })
      .nullable(),
    maxAmount: shape.money.describe('The largest amount of one top-up.'),
    minAmount: shape.money,
    currency: shape.currency,
  }),
  errors: ANY_PERSON_GET,
})

export const setAutomaticTopup = defineEndpoint({
  method: 'POST',
  path: '/api/account/automatic-topup',
  summary: 'Switch automatic top-up on or change it',
  description:
    'Requires the password. While the balance is below the threshold, the saved card is charged: one payment at a time, at most one per hour, and never more than monthMax per calendar month. The limits of all top-ups also apply. Saving the terms also ends a suspension. The service stores these terms as text, with the time of the consent, and sends them to the person by email.',
  input: z.object({
    password: shape.password,
    threshold: shape.amount,
    amount: shape.amount,
    monthMax: shape.amount,
    timeZone: shape.timeZone,
    cardId: shape.cardId,
  }),
  response: nothing,
  errors: {
    ...ANY_PERSON_POST,
    LOGIN_FAILED: {},
    INVALID_AMOUNT: {},
    CARD_NOT_FOUND: {},
    PAYMENT_PROVIDER_ERROR: {},
  },
})

export const endAutomaticTopup = defineEndpoint({
  method: 'POST',
  path: '/api/account/automatic-topup/off',
  summary: 'Switch automatic top-up off',
  description: 'A charge that the bank is processing is still credited.',
  input: nothing,
  response: nothing,
  errors: ANY_PERSON_POST,
})
