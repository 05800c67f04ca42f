/**
 * The one table of refusals: code → status and public text. An endpoint lists the codes that it may answer with
 * and may give a code another status there. The texts of recorded refusals (the ledger's) are replayed for ever,
 * so they are part of the contract and do not change.
 */

export interface ErrorEntry {
  status: number
  text: string
  /** The end user must authenticate in the widget. */
  requiresAuth?: true
  /** Seconds for the Retry-After header. */
  retryAfterSeconds?: number
}

const NEW_ATTEMPT = 'Use a new referenceId for a new attempt.'

export const ERRORS = {
  INVALID_CLIENT: {
    status: 401,
    text: 'The client credentials are invalid, or the client app is not active. Check clientId and clientSecret.',
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    text: 'This client app lacks the scope that the call needs. Ask the operator to grant wallet:read or wallet:write.',
  },
  BROWSER_NOT_ALLOWED: {
    status: 403,
    text: 'This API is for backends only, and the call came from a browser. Move it to your server and rotate the clientSecret: it has leaked into a page.',
  },
  INVALID_REQUEST: {
    status: 400,
    text: 'The request does not fit the contract.',
  },
  INVALID_AMOUNT: {
    status: 400,
    text: "The amount must be a plain decimal numeral within the bounds, with at most the currency's number of decimals (for example 19.99). Exponents and longer fractions are refused, never rounded.",
  },
  USER_NOT_FOUND: {
    status: 404,
    text: 'The user is unknown or not linked to this client app. Show the widget without a session so that the user can log in.',
    requiresAuth: true,
  },
  INVALID_SESSION: {
    status: 401,
    text: 'The session is missing or is no session token. Pass the sessionToken that POST /api/widget/session returned.',
  },
  SESSION_EXPIRED: {
    status: 401,
    text: 'The session has expired. Create a new one with POST /api/widget/session and load the widget with it.',
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    text: 'This origin may not do that. A page that embeds the widget must stand in allowedIframeParents, exactly as the browser writes it.',
  },
  LOGIN_FAILED: {
    status: 401,
    text: 'The e-mail or the password is wrong. Check both, or reset your password.',
  },
  LOGIN_REQUIRED: {
    status: 401,
    text: 'You are not logged in any more. Log in again.',
  },
  CODE_INVALID: {
    status: 400,
    text: 'The code is wrong or too old. Check it, or ask for a new one.',
  },
  EMAIL_TAKEN: {
    status: 409,
    text: 'There is an account with this e-mail already. Log in instead.',
  },
  PASSWORD_REFUSED: {
    status: 400,
    text: 'This password is too easy to guess. Choose a longer one that is neither common nor part of your e-mail.',
  },
  ACCOUNT_NOT_EMPTY: {
    status: 409,
    text: 'The account still has a balance, a debt or a payment under way. Spend or settle it first, then delete the account.',
  },
  OPERATOR_FORBIDDEN: {
    status: 403,
    text: 'Your role does not allow this. Ask an owner to do it, or to change your role.',
  },
  CONFIRMATION_REQUIRED: {
    status: 403,
    text: 'Confirm who you are first, with a passkey or with password and code, then try again.',
  },
  PASSKEY_INVALID: {
    status: 400,
    text: 'The passkey was not accepted. Try again, or use your password and a code.',
  },
  PASSKEY_LIMIT: {
    status: 409,
    text: 'You have as many passkeys as one operator can have. Remove one, then add another.',
  },
  SECOND_OPERATOR_REQUIRED: {
    status: 403,
    text: 'A second operator must approve this: neither whoever proposed it, nor anybody whom the same person added or gave a new authenticator. The list of approvals names who can.',
  },
  GRANT_DECIDED: {
    status: 409,
    text: 'This was decided already. Reload the list to see how.',
  },
  GRANT_LAPSED: {
    status: 409,
    text: 'This can no longer be approved: the operator who proposed it may no longer do so, the person deleted the account, or the credit limit is already that high. Decline it, and propose it again if it is still right.',
  },
  ORIGIN_TAKEN: {
    status: 409,
    text: 'Another active client app already lists this origin as a parent. Remove it there, or insist; frames must then carry the clientId.',
  },
  LINK_CODE_INVALID: {
    status: 400,
    text: 'The link code is wrong, too old or was issued for another client app. Let the user authenticate in the widget again.',
  },
  OPERATION_NOT_FOUND: {
    status: 404,
    text: 'No debit or credit with this referenceType and referenceId was decided. It is safe to send it now.',
  },
  INSUFFICIENT_BALANCE: {
    status: 400,
    text: `The balance is not sufficient for this debit. ${NEW_ATTEMPT}`,
  },
  WALLET_INACTIVE: {
    status: 403,
    text: `The wallet is frozen and cannot be debited. ${NEW_ATTEMPT}`,
  },
  CREDIT_LIMIT_EXCEEDED: {
    status: 403,
    text: `The credit would exceed the credit limit of this client app. ${NEW_ATTEMPT}`,
  },
  BALANCE_LIMIT: {
    status: 400,
    text: `The credit would exceed the largest balance that a wallet can hold. ${NEW_ATTEMPT}`,
  },
  PAYMENT_INTENT_NOT_FOUND: {
    status: 404,
    text: 'There is no such payment for this user. Start a new top-up.',
  },
  PAYMENT_FAILED: {
    status: 402,
    text: 'The card was not charged. Try again, or use another card.',
  },
  PAYMENT_PROVIDER_ERROR: {
    status: 502,
    text: 'The card processor did not answer as expected. Nothing is lost: what was paid is credited by itself. Try again in a moment.',
    retryAfterSeconds: 5,
  },
  INVALID_SIGNATURE: {
    status: 400,
    text: 'The signature of this event is not valid, or too old. Check the webhook secret and the clock.',
  },
  NOT_FOUND: {
    status: 404,
    text: 'There is nothing at this address. The API reference is at /docs.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    text: 'The request body is too large. Send at most 16 KiB.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    text: 'The request body must be JSON. Send it with Content-Type: application/json.',
  },
  RATE_LIMITED: {
    status: 429,
    text: 'Too many requests. Wait as long as the Retry-After header says, then retry with the same reference.',
    retryAfterSeconds: 1,
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    text: 'The service cannot take this request at the moment. Retry with the same reference.',
    retryAfterSeconds: 1,
  },
  OUTCOME_UNKNOWN: {
    status: 503,
    text: 'The outcome is not known yet. Retry with the same reference: the operation is executed at most once.',
    retryAfterSeconds: 2,
  },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof ERRORS

/** The body of every refusal. */
export interface ErrorBody {
  error: string
  code?: ErrorCode
  requiresAuth?: boolean
  /** On INVALID_REQUEST: the field that does not fit. */
  field?: string
}

/** What a caller sees of a fault that nobody foresaw. The detail is in the log, under the request id. */
export const UNFORESEEN_TEXT =
  'Something went wrong on our side. Retry with the same reference; if it persists, report the X-Request-Id.'
