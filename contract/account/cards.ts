/**
 * A person's saved cards. The card processor stores them. The widget lists them, too, after the person has entered the
 * password.
 */
import { z } from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import * as shape from '../shapes.ts'
import { ANY_PAGE_POST } from '../widget/widget.ts'

const ANY_CARD_CALL = { LOGIN_REQUIRED: {}, PAYMENT_PROVIDER_ERROR: {} } as const
const nothing = z.object({})

export const listCards = defineEndpoint({
  method: 'GET',
  path: '/api/account/topup/cards',
  summary: 'List the saved cards',
  description:
    'The default card is first, then the newest. A card that was saved twice is listed once.',
  input: nothing,
  response: z.object({
    cards: z.array(
      z.object({
        id: shape.cardId,
        brand: shape.shown(64).describe('Such as visa.'),
        last4: shape.shown(4),
        expMonth: z.int().min(1).max(12),
        expYear: z.int(),
        isDefault: z.boolean(),
      }),
    ),
  }),
  errors: {
    ORIGIN_NOT_ALLOWED: {},
    INVALID_REQUEST: {},
    RATE_LIMITED: {},
    SERVICE_UNAVAILABLE: {},
    ...ANY_CARD_CALL,
  },
})

export const setDefaultCard = defineEndpoint({
  method: 'POST',
  path: '/api/account/topup/cards/default',
  summary: 'Choose the default card',
  description: 'The page offers this card first.',
  input: z.object({ id: shape.cardId }),
  response: nothing,
  errors: { ...ANY_PAGE_POST, ...ANY_CARD_CALL, CARD_NOT_FOUND: {} },
})

export const removeCard = defineEndpoint({
  method: 'POST',
  path: '/api/account/topup/cards/remove',
  summary: 'Remove a saved card',
  description:
    'The card can no longer be charged. A payment with it that is not confirmed yet fails. Has no effect on a card that was already removed.',
  input: z.object({ id: shape.cardId }),
  response: nothing,
  errors: { ...ANY_PAGE_POST, ...ANY_CARD_CALL },
})
