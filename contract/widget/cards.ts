/**
 * Saved cards in the widget. The session of a client app is not sufficient for them: the person enters the password,
 * and receives a ticket that can be used for one payment.
 */
import { z } from 'zod'
import { listCards } from '../account/cards.ts'
import { defineEndpoint } from '../endpoint.ts'
import * as shape from '../shapes.ts'
import { ANY_TOPUP_CALL, createIntent, sessionQuery } from './widget.ts'

export const listWidgetCards = defineEndpoint({
  method: 'POST',
  path: '/api/widget/topup/cards',
  summary: 'List the saved cards in the widget',
  description:
    'Requires the password of the person whom the session belongs to. The ticket can be used for one payment with one of the cards.',
  query: sessionQuery,
  input: z.object({ password: shape.password }),
  response: listCards.response.extend({ ticket: shape.ticket }),
  errors: { ...ANY_TOPUP_CALL, LOGIN_FAILED: {} },
})

export const createCardIntent = defineEndpoint({
  method: 'POST',
  path: '/api/widget/topup/cards/create-intent',
  summary: 'Start a top-up with a saved card in the widget',
  description:
    'Creates a payment intent with the card, and uses up the ticket. The page still confirms the payment.',
  query: sessionQuery,
  input: createIntent.input.extend({ ticket: shape.ticket, cardId: shape.cardId }),
  response: createIntent.response,
  errors: {
    ...ANY_TOPUP_CALL,
    LOGIN_REQUIRED: {},
    INVALID_AMOUNT: {},
    WALLET_INACTIVE: {},
    TOPUP_LIMIT_EXCEEDED: {},
    CARD_NOT_FOUND: {},
  },
})

export const WIDGET_CARD_ENDPOINTS = { listWidgetCards, createCardIntent }
