/** The widget API: the session that a client app's backend creates, and the requests of the widget's pages. */
import { z } from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { SESSION_SECONDS, WIDGET_TRANSACTIONS } from '../limits.ts'
import * as passkey from '../passkey-shapes.ts'
import * as shape from '../shapes.ts'

const ORIGIN = 'must be the origin of a page, such as https://shop.example'

export const createSession = defineEndpoint({
  method: 'POST',
  path: '/api/widget/session',
  summary: 'Create a widget session',
  description: `Called by the client app's backend. The token is valid for ${SESSION_SECONDS / 60} minutes and gives access to one user's wallet. Load the widget with it.`,
  scope: 'wallet:read',
  input: z.object({
    serviceUserId: shape.serviceUserId,
    parentOrigin: z
      .string({ error: ORIGIN })
      .max(2048, { error: ORIGIN })
      .optional()
      .meta({
        description:
          'The origin of the page that embeds the widget. It must be listed in allowedIframeParents, and the session works on this origin only.',
        examples: ['https://shop.example'],
      }),
  }),
  response: z.object({
    sessionToken: shape.shown(39).meta({
      pattern: '^ws_[0-9a-f-]{36}$',
      examples: ['ws_3f0c2a9e-7b1d-4c3f-8a6e-9d0b2c4f6a81'],
    }),
    expiresAt: shape.timestamp,
  }),
  errors: {
    BROWSER_NOT_ALLOWED: {},
    INVALID_CLIENT: {},
    SECRET_RESTRICTED: {},
    NETWORK_NOT_ALLOWED: {},
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
  .meta({
    description: 'The sessionToken of POST /api/widget/session. It authenticates the request.',
    pattern: '^ws_[0-9a-f-]{36}$',
    maxLength: 39,
    examples: ['ws_3f0c2a9e-7b1d-4c3f-8a6e-9d0b2c4f6a81'],
  })

export const sessionQuery = z.object({ session })

const ANY_SESSION_CALL = {
  INVALID_REQUEST: {},
  INVALID_SESSION: {},
  SESSION_EXPIRED: {},
  RATE_LIMITED: {},
  SERVICE_UNAVAILABLE: {},
} as const

export const readWidgetWallet = defineEndpoint({
  method: 'GET',
  path: '/api/widget/wallet',
  summary: 'Read the wallet of a session',
  description: `Returns the balance, the state, the last ${WIDGET_TRANSACTIONS} entries as visible to the session's client app, and the user's name and masked email address.`,
  input: z.object({ session }),
  response: z.object({
    balance: shape.money,
    held: shape.money.describe(
      'The amount that apps have reserved. It is not part of the balance.',
    ),
    spendable: shape.money.describe(
      'The largest amount that one debit or hold of the client app can take now: the balance, or less if the person limits it.',
    ),
    currency: shape.currency,
    isActive: z.boolean(),
    transactions: z.array(shape.transaction).max(WIDGET_TRANSACTIONS),
    user: shape.walletOwner,
  }),
  errors: { ...ANY_SESSION_CALL, ORIGIN_NOT_ALLOWED: {} },
})

export const ANY_TOPUP_CALL = {
  ...ANY_SESSION_CALL,
  PAYLOAD_TOO_LARGE: {},
  UNSUPPORTED_MEDIA_TYPE: {},
  PAYMENT_PROVIDER_ERROR: {},
} as const

export const createIntent = defineEndpoint({
  method: 'POST',
  path: '/api/widget/topup/create-intent',
  summary: 'Start a top-up',
  description:
    "Creates a payment intent at the card processor. The page confirms it with the processor's own form.",
  query: sessionQuery,
  input: z.object({ amount: shape.amount }),
  response: z.object({
    paymentIntentId: shape.shown(255).meta({ examples: ['pi_3MtwBwLkdIwHu7ix28a3tqPa'] }),
    clientSecret: shape.shown(255).describe("Only for the processor's form."),
    publishableKey: shape.shown(255),
    amount: shape.money,
    currency: shape.currency,
    status: shape.shown(64).describe('The state of the payment as the processor reports it.'),
    user: shape.walletOwner.describe(
      'The owner of the wallet that this payment credits. Show it before the person pays.',
    ),
  }),
  errors: {
    ...ANY_TOPUP_CALL,
    INVALID_AMOUNT: {},
    WALLET_INACTIVE: {},
    TOPUP_LIMIT_EXCEEDED: {},
  },
})

export const confirmTopup = defineEndpoint({
  method: 'POST',
  path: '/api/widget/topup/confirm',
  summary: 'Confirm a top-up',
  description:
    'Reads the state of the payment from the processor and credits a paid one. A payment is credited once, no matter how often this is called.',
  query: sessionQuery,
  input: z.object({
    paymentIntentId: shape
      .matching(/^\w{1,255}$/, 'the paymentIntentId of the top-up')
      .meta({ pattern: '^[A-Za-z0-9_]*$', minLength: 1, maxLength: 255 }),
  }),
  response: z.object({
    status: z.enum(['succeeded', 'processing', 'requires_action', 'failed']),
    balance: shape.money,
    paymentIntentId: shape.shown(255),
    amount: shape.money,
    currency: shape.currency,
    message: shape.shown(500),
  }),
  errors: {
    ...ANY_TOPUP_CALL,
    PAYMENT_INTENT_NOT_FOUND: {},
    PAYMENT_FAILED: {},
    OUTCOME_UNKNOWN: {},
  },
})

/** Errors of requests that only our own pages send, from our own origin. */
export const ANY_PAGE_POST = {
  ORIGIN_NOT_ALLOWED: {},
  INVALID_REQUEST: {},
  RATE_LIMITED: {},
  SERVICE_UNAVAILABLE: {},
  PAYLOAD_TOO_LARGE: {},
  UNSUPPORTED_MEDIA_TYPE: {},
} as const

const clientId = z.string().regex(/^app_[0-9a-f]{24}$/)

/** The next step of a person who signs in to the widget. */
const step = z.object({
  step: z
    .enum(['linked', 'consent', 'verify', 'reset'])
    .describe(
      'linked: done. consent: the person must agree to the link. verify: a code was sent by email. reset: a link was sent by email.',
    ),
  ticket: shape.ticket.optional().describe('Pass it to the next request. With consent and verify.'),
  serviceUserId: shape.serviceUserId.optional().describe('With linked.'),
  linkCode: z.string().optional().describe('With linked, if the login had a challenge.'),
  firstName: z.string().optional().describe('With consent.'),
})
export type AuthStep = z.output<typeof step>

export const signUp = defineEndpoint({
  method: 'POST',
  path: '/api/widget/auth/sign-up',
  summary: 'Sign up in the widget',
  description: 'Creates an account and links it, or requires the code that was sent by email.',
  input: z.object({
    clientId,
    firstName: shape.personName,
    lastName: shape.personName,
    email: shape.email,
    password: shape.password,
    challenge: shape.challenge.optional(),
  }),
  response: step,
  errors: { ...ANY_PAGE_POST, EMAIL_TAKEN: {}, PASSWORD_REFUSED: {} },
})

export const logIn = defineEndpoint({
  method: 'POST',
  path: '/api/widget/auth/log-in',
  summary: 'Log in to the widget',
  description:
    'If the app is already linked, the login is complete. Otherwise the person must agree to the link.',
  input: z.object({
    clientId,
    email: shape.email,
    password: shape.password,
    challenge: shape.challenge.optional(),
  }),
  response: step,
  errors: { ...ANY_PAGE_POST, LOGIN_FAILED: {} },
})

export const beginWidgetPasskeyLogIn = defineEndpoint({
  method: 'POST',
  path: '/api/widget/auth/passkey',
  summary: 'Start to log in to the widget with a passkey',
  description:
    'For passkeys that the person added at /account. The host of the widget must belong to their domain.',
  input: z.object({ clientId }),
  response: passkey.challenge,
  errors: { ...ANY_PAGE_POST, PASSKEY_INVALID: {} },
})

export const logInToWidgetByPasskey = defineEndpoint({
  method: 'POST',
  path: '/api/widget/auth/passkey/finish',
  summary: 'Log in to the widget with a passkey',
  description:
    "The browser signs the origin of the page that embeds the frame. It must be listed in the app's allowedIframeParents.",
  input: z.object({ clientId, passkey: passkey.signed, challenge: shape.challenge.optional() }),
  response: step,
  errors: { ...ANY_PAGE_POST, PASSKEY_INVALID: {} },
})

export const agree = defineEndpoint({
  method: 'POST',
  path: '/api/widget/auth/agree',
  summary: 'Agree to a link',
  description: 'The person allows the client app to see the balance and charge the wallet.',
  input: z.object({ ticket: shape.ticket }),
  response: step,
  errors: { ...ANY_PAGE_POST, LOGIN_REQUIRED: {} },
})

export const verifyEmail = defineEndpoint({
  method: 'POST',
  path: '/api/widget/auth/verify',
  summary: 'Verify an email address',
  description: 'Checks the code from the email, then creates the account and links it.',
  input: z.object({ ticket: shape.ticket, code: shape.code }),
  response: step,
  errors: { ...ANY_PAGE_POST, CODE_INVALID: {} },
})

export const forgotPassword = defineEndpoint({
  method: 'POST',
  path: '/api/widget/auth/forgot',
  summary: 'Request a link to reset a password',
  description:
    'Sends the link by email. The response is the same whether or not the account exists.',
  input: z.object({ clientId, email: shape.email }),
  response: step,
  errors: ANY_PAGE_POST,
})

/** The public endpoints. The others are for our own pages and can change with them. */
export const WIDGET_ENDPOINTS = { createSession, readWidgetWallet, createIntent, confirmTopup }

export const WIDGET_PAGE_ENDPOINTS = {
  signUp,
  logIn,
  beginWidgetPasskeyLogIn,
  logInToWidgetByPasskey,
  agree,
  verifyEmail,
  forgotPassword,
}
