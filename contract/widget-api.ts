/** What the hosted widget is made of: the session that a client app's backend creates, and the calls of the pages. */
import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { SESSION_SECONDS, WIDGET_TRANSACTIONS } from './limits.ts'
import * as shape from './shapes.ts'

export const createSession = defineEndpoint({
  method: 'POST',
  path: '/api/widget/session',
  summary: 'Create a widget session',
  description: `Called by the client app's backend. The token lives ${SESSION_SECONDS / 60} minutes and shows one user's wallet; load the widget with it.`,
  scope: 'wallet:read',
  input: z.object({
    serviceUserId: shape.serviceUserId,
    parentOrigin: z
      .string()
      .max(2048)
      .optional()
      .meta({
        description:
          'The origin of the page that embeds the widget; the session is then bound to it. It must stand in allowedIframeParents.',
        examples: ['https://shop.example'],
      }),
  }),
  answer: z.object({
    sessionToken: z.string().meta({ examples: ['ws_3f0c2a9e-7b1d-4c3f-8a6e-9d0b2c4f6a81'] }),
    expiresAt: shape.timestamp,
  }),
  errors: {
    BROWSER_NOT_ALLOWED: {},
    INVALID_CLIENT: {},
    INVALID_REQUEST: {},
    RATE_LIMITED: {},
    SERVICE_UNAVAILABLE: {},
    PAYLOAD_TOO_LARGE: {},
    UNSUPPORTED_MEDIA_TYPE: {},
    INSUFFICIENT_SCOPE: {},
    USER_NOT_FOUND: { status: 404 },
    ORIGIN_NOT_ALLOWED: {},
  },
})

const session = z
  .string()
  .optional()
  .meta({ description: 'The sessionToken.', examples: ['ws_3f0c2a9e-7b1d-4c3f-8a6e-9d0b2c4f6a81'] })

export const readWidgetWallet = defineEndpoint({
  method: 'GET',
  path: '/api/widget/wallet',
  summary: 'Read the wallet of a session',
  description: `Balance, state, the last ${WIDGET_TRANSACTIONS} entries as the session's client app may see them, and the user's name and masked email address.`,
  input: z.object({ session }),
  answer: z.object({
    balance: shape.money,
    currency: shape.currency,
    isActive: z.boolean(),
    transactions: z.array(shape.transaction),
    user: shape.walletOwner,
  }),
  errors: {
    INVALID_REQUEST: {},
    INVALID_SESSION: {},
    SESSION_EXPIRED: {},
    RATE_LIMITED: {},
    SERVICE_UNAVAILABLE: {},
  },
})

const ANY_TOPUP_CALL = {
  ...readWidgetWallet.errors,
  PAYLOAD_TOO_LARGE: {},
  UNSUPPORTED_MEDIA_TYPE: {},
  PAYMENT_PROVIDER_ERROR: {},
} as const

export const createIntent = defineEndpoint({
  method: 'POST',
  path: '/api/widget/topup/create-intent',
  summary: 'Begin a top-up',
  description:
    "Makes a payment intent at the card processor; the page pays it with the processor's own form.",
  query: z.object({ session }),
  input: z.object({ amount: shape.amount }),
  answer: z.object({
    paymentIntentId: z.string().meta({ examples: ['pi_3MtwBwLkdIwHu7ix28a3tqPa'] }),
    clientSecret: z.string().describe("For the processor's form only."),
    publishableKey: z.string(),
    amount: shape.money,
    currency: shape.currency,
    status: z.string().describe("The processor's word for the state of the payment."),
    user: shape.walletOwner.describe(
      'The owner of the wallet that this payment credits. Show it before the person pays.',
    ),
  }),
  errors: { ...ANY_TOPUP_CALL, INVALID_AMOUNT: {}, WALLET_INACTIVE: {} },
})

export const confirmTopup = defineEndpoint({
  method: 'POST',
  path: '/api/widget/topup/confirm',
  summary: 'Confirm a top-up',
  description:
    'Asks the processor what became of the payment and credits it if it is paid: once, however often and by whomever it is asked.',
  query: z.object({ session }),
  input: z.object({ paymentIntentId: z.string().regex(/^\w{1,255}$/) }),
  answer: z.object({
    status: z.enum(['succeeded', 'processing', 'requires_action', 'failed']),
    balance: shape.money,
    paymentIntentId: z.string(),
    amount: shape.money,
    currency: shape.currency,
    message: z.string(),
  }),
  errors: {
    ...ANY_TOPUP_CALL,
    PAYMENT_INTENT_NOT_FOUND: {},
    PAYMENT_FAILED: {},
    OUTCOME_UNKNOWN: {},
  },
})

/** Called by our own pages only, from our own origin. */
export const ANY_PAGE_POST = {
  ORIGIN_NOT_ALLOWED: {},
  INVALID_REQUEST: {},
  RATE_LIMITED: {},
  SERVICE_UNAVAILABLE: {},
  PAYLOAD_TOO_LARGE: {},
  UNSUPPORTED_MEDIA_TYPE: {},
} as const

const clientId = z.string().regex(/^app_[0-9a-f]{24}$/)

/** What comes next for a person who stands at the widget's door. */
const step = z.object({
  step: z
    .enum(['linked', 'consent', 'verify', 'reset'])
    .describe(
      'linked: done. consent: the person must agree to the link. verify, reset: a code was sent by e-mail.',
    ),
  ticket: shape.ticket.optional().describe('Hand it to the next call. Not with linked.'),
  serviceUserId: shape.serviceUserId.optional().describe('With linked.'),
  linkCode: z.string().optional().describe('With linked.'),
  firstName: z.string().optional().describe('With consent.'),
})
export type AuthStep = z.output<typeof step>

export const signUp = defineEndpoint({
  method: 'POST',
  path: '/api/widget/auth/sign-up',
  summary: 'Sign up in the widget',
  description: 'Creates an account and its link, or asks for the code that was sent by e-mail.',
  input: z.object({
    clientId,
    firstName: shape.personName,
    lastName: shape.personName,
    email: shape.email,
    password: shape.password,
  }),
  answer: step,
  errors: { ...ANY_PAGE_POST, EMAIL_TAKEN: {}, PASSWORD_REFUSED: {} },
})

export const logIn = defineEndpoint({
  method: 'POST',
  path: '/api/widget/auth/log-in',
  summary: 'Log in in the widget',
  description: 'Linked already: done. Otherwise the person is asked to agree.',
  input: z.object({ clientId, email: shape.email, password: shape.password }),
  answer: step,
  errors: { ...ANY_PAGE_POST, LOGIN_FAILED: {} },
})

export const agree = defineEndpoint({
  method: 'POST',
  path: '/api/widget/auth/agree',
  summary: 'Agree to a link',
  description: 'The person lets the client app see the balance and charge the wallet.',
  input: z.object({ ticket: shape.ticket }),
  answer: step,
  errors: { ...ANY_PAGE_POST, LOGIN_REQUIRED: {} },
})

export const verifyEmail = defineEndpoint({
  method: 'POST',
  path: '/api/widget/auth/verify',
  summary: 'Verify an e-mail address',
  description: 'With the code of the e-mail; creates the account and its link.',
  input: z.object({ ticket: shape.ticket, code: shape.code }),
  answer: step,
  errors: { ...ANY_PAGE_POST, CODE_INVALID: {} },
})

export const forgotPassword = defineEndpoint({
  method: 'POST',
  path: '/api/widget/auth/forgot',
  summary: 'Ask for a code to reset a password',
  description: 'Answers the same whether there is such an account or not.',
  input: z.object({ clientId, email: shape.email }),
  answer: step,
  errors: ANY_PAGE_POST,
})

export const resetPassword = defineEndpoint({
  method: 'POST',
  path: '/api/widget/auth/reset',
  summary: 'Reset a password',
  description: 'With the code of the e-mail; then as after a log-in.',
  input: z.object({ ticket: shape.ticket, code: shape.code, password: shape.password }),
  answer: step,
  errors: { ...ANY_PAGE_POST, CODE_INVALID: {}, PASSWORD_REFUSED: {} },
})

/** Those that the specification names; the others belong to our pages and may change with them. */
export const WIDGET_ENDPOINTS = { createSession, readWidgetWallet, createIntent, confirmTopup }

export const WIDGET_PAGE_ENDPOINTS = {
  signUp,
  logIn,
  agree,
  verifyEmail,
  forgotPassword,
  resetPassword,
}
