/** Adding money at /account. The only part of the account API that the page with the card form may call. */
import { z } from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import * as shape from '../shapes.ts'
import { ANY_PAGE_POST, confirmTopup, createIntent } from '../widget/widget.ts'

const ANY_TOPUP_POST = {
  ...ANY_PAGE_POST,
  LOGIN_REQUIRED: {},
  PAYMENT_PROVIDER_ERROR: {},
} as const

export const readTopupWallet = defineEndpoint({
  method: 'GET',
  path: '/api/account/topup/wallet',
  summary: 'Read the wallet to top up',
  description: 'Returns the balance, the state and the owner.',
  input: z.object({}),
  response: z.object({
    balance: shape.money,
    currency: shape.currency,
    isActive: z.boolean(),
    user: shape.walletOwner,
  }),
  errors: {
    ORIGIN_NOT_ALLOWED: {},
    INVALID_REQUEST: {},
    RATE_LIMITED: {},
    SERVICE_UNAVAILABLE: {},
    LOGIN_REQUIRED: {},
  },
})

export const createOwnIntent = defineEndpoint({
  method: 'POST',
  path: '/api/account/topup/create-intent',
  summary: 'Start a top-up at /account',
  description: `${createIntent.description} With cardId, a saved card pays. With saveCard, the card that pays is saved.`,
  input: createIntent.input.extend({
    cardId: shape.cardId.optional().describe('A saved card. The page still confirms the payment.'),
    saveCard: z.boolean().optional(),
  }),
  response: createIntent.response,
  errors: {
    ...ANY_TOPUP_POST,
    INVALID_AMOUNT: {},
    WALLET_INACTIVE: {},
    TOPUP_LIMIT_EXCEEDED: {},
    CARD_NOT_FOUND: {},
  },
})

export const confirmOwnTopup = defineEndpoint({
  method: 'POST',
  path: '/api/account/topup/confirm',
  summary: 'Confirm a top-up at /account',
  description: confirmTopup.description,
  input: confirmTopup.input,
  response: confirmTopup.response,
  errors: {
    ...ANY_TOPUP_POST,
    PAYMENT_INTENT_NOT_FOUND: {},
    PAYMENT_FAILED: {},
    OUTCOME_UNKNOWN: {},
  },
})
