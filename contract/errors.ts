/**
 * All error codes with their status and public text. An endpoint lists the codes that it can return and may override
 * the status of a code. The texts of recorded refusals (those of the ledger) are replayed forever, so they are part
 * of the contract and must not change after the first release.
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
    text: 'This client app does not have the required scope. Ask the operator to grant wallet:read or wallet:write.',
  },
  SECRET_RESTRICTED: {
    status: 403,
    text: 'This secret is restricted and does not allow this call. Use a secret that allows it, or ask the operator for one.',
  },
  NETWORK_NOT_ALLOWED: {
    status: 403,
    text: 'This secret works only from certain networks, and the request came from another one. Send it from a listed network, or ask the operator to list this one.',
  },
  BROWSER_NOT_ALLOWED: {
    status: 403,
    text: 'This API is for backends only, but the request came from a browser. Send it from your server, and rotate the clientSecret because a page has exposed it.',
  },
  INVALID_REQUEST: {
    status: 400,
    text: 'Invalid request.',
  },
  INVALID_AMOUNT: {
    status: 400,
    text: 'Invalid amount. Use a positive decimal number or string such as 19.99, with no exponent and no more decimals than the currency has. Amounts are never rounded.',
  },
  USER_NOT_FOUND: {
    status: 404,
    text: 'The user is unknown or not linked to this client app. Show the widget without a session so that the user can log in.',
    requiresAuth: true,
  },
  INVALID_SESSION: {
    status: 401,
    text: 'The session is missing or invalid. Pass the sessionToken that POST /api/widget/session returned.',
  },
  SESSION_EXPIRED: {
    status: 401,
    text: 'The session has expired. Create a new one with POST /api/widget/session and load the widget with it.',
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    text: 'This origin is not allowed. The origin of a page that embeds the widget must be listed in allowedIframeParents, exactly as the browser sends it. Ask the operator to add it.',
  },
  LOGIN_FAILED: {
    status: 401,
    text: 'The email or password is incorrect. Check both, or reset your password.',
  },
  LOGIN_REQUIRED: {
    status: 401,
    text: 'You are no longer logged in. Log in again.',
  },
  CODE_INVALID: {
    status: 400,
    text: 'The code or link is incorrect or has expired. Check it, or request a new one.',
  },
  EMAIL_TAKEN: {
    status: 409,
    text: 'An account with this email already exists. Log in instead.',
  },
  PASSWORD_REFUSED: {
    status: 400,
    text: 'This password is too easy to guess. Choose a longer one that is not commonly used and does not contain the part of your email address before the @.',
  },
  ACCOUNT_NOT_EMPTY: {
    status: 409,
    text: 'The account still has a balance, a reserved amount, a debt or a pending payment. Spend the balance or pay off the debt, wait until holds and payments are complete, then delete the account.',
  },
  OPERATOR_FORBIDDEN: {
    status: 403,
    text: 'Your role does not allow this. Ask an owner to do it, or to change your role.',
  },
  CONFIRMATION_REQUIRED: {
    status: 403,
    text: 'Confirm your identity with a passkey, or with your password and a code, then try again.',
  },
  PASSKEY_INVALID: {
    status: 400,
    text: 'The passkey was not accepted. Try again, or log in another way.',
  },
  PASSKEY_LIMIT: {
    status: 409,
    text: 'You have reached the maximum number of passkeys. Remove one before you add another.',
  },
  SECOND_OPERATOR_REQUIRED: {
    status: 403,
    text: 'A second operator must approve this request. It cannot be the operator who proposed it, or an operator who is related to the proposer. Two operators are related if one created the other or reset the other’s authenticator, directly or through a third operator. The list of approvals shows who can approve it.',
  },
  GRANT_DECIDED: {
    status: 409,
    text: 'This request has already been decided. Reload the list to see the decision.',
  },
  GRANT_LAPSED: {
    status: 409,
    text: 'This request can no longer be approved: the operator who proposed it lost that permission, the person deleted the account, the credit limit is already that high, or another client app has taken an origin. Decline it, and create a new request if needed.',
  },
  ORIGIN_TAKEN: {
    status: 409,
    text: 'Another active client app already lists this origin in allowedIframeParents. Remove it there, or confirm that both apps share it; every iframe must then pass its clientId.',
  },
  CONTACT_REQUIRED: {
    status: 409,
    text: 'Nobody can receive the new secret: the client app has no contact, or the service has no mail server or no PUBLIC_URL. To stop the old secret now, revoke it; a rotation with a second operator creates the new one.',
  },
  SECRET_LINK_INVALID: {
    status: 400,
    text: 'This link has already been used or has expired. Ask the operator of the service to replace the secret again.',
  },
  LINK_CODE_INVALID: {
    status: 400,
    text: 'The link code is invalid, has expired, belongs to another client app or was issued for another verifier. Ask the user to log in to the widget again.',
  },
  OPERATION_NOT_FOUND: {
    status: 404,
    text: 'No debit or credit with this referenceType and referenceId has been recorded. It is safe to send it with this reference.',
  },
  CURSOR_EXPIRED: {
    status: 410,
    text: 'The feed cannot continue after this cursor: events after it are no longer kept, or the service was restored from a backup. Read without after to get all events that are kept, and read the wallets of your users again.',
  },
  WEBHOOK_LIMIT: {
    status: 409,
    text: 'This client app has the maximum number of webhooks. Delete one before you create another.',
  },
  INSUFFICIENT_BALANCE: {
    status: 400,
    text: `The balance is too low for this operation. Let the user add money. ${NEW_ATTEMPT}`,
  },
  WALLET_INACTIVE: {
    status: 403,
    text: `The wallet is frozen and cannot be debited. The user can ask the operator of the wallet service for the reason. ${NEW_ATTEMPT}`,
  },
  SPEND_LIMIT_EXCEEDED: {
    status: 403,
    text: `This exceeds the limit that the user has set for your app. Check the balance to see how much is spendable, or ask the user to change the limit. ${NEW_ATTEMPT}`,
  },
  CREDIT_LIMIT_EXCEEDED: {
    status: 403,
    text: `The credit would exceed the credit limit of this client app. Ask the operator to raise the limit. ${NEW_ATTEMPT}`,
  },
  BALANCE_LIMIT: {
    status: 400,
    text: `The credit would exceed the maximum balance of a wallet. Credit less. ${NEW_ATTEMPT}`,
  },
  REFUND_EXCEEDS_DEBIT: {
    status: 409,
    text: `The refund exceeds what is left of the debit. Look up the debit to see how much of it is refundable. ${NEW_ATTEMPT}`,
  },
  WALLET_CLOSED: {
    status: 409,
    text: 'The user has deleted the account, so the wallet is closed and nothing was executed. Pay a refund to the user in another way.',
  },
  CAPTURE_EXCEEDS_HOLD: {
    status: 409,
    text: `The capture exceeds what is left of the hold. Capture less, and debit the rest. ${NEW_ATTEMPT}`,
  },
  HOLD_EXPIRED: {
    status: 409,
    text: 'The hold has expired, so its money is back in the wallet. To take it, debit the wallet.',
  },
  HOLD_CLOSED: {
    status: 409,
    text: 'Nothing is left of the hold: it was captured completely, it was released, or it was refused when it was placed. To take more money, debit the wallet.',
  },
  HOLD_SUSPENDED: {
    status: 409,
    text: 'The user reported that somebody else used the account, so the operator of the wallet service decides about this hold. Nothing was captured. Release the hold, or ask the operator to allow the capture and then send the same request again.',
  },
  REFERENCE_MISMATCH: {
    status: 409,
    text: 'An earlier request with this referenceType and referenceId differs from this one. Its outcome is final, and this request was not executed. Look up that outcome before you send a new referenceId.',
  },
  TOPUP_LIMIT_EXCEEDED: {
    status: 429,
    text: 'This amount would exceed what the user may top up in 24 hours. Choose a smaller amount, or wait for the number of seconds in the Retry-After header.',
  },
  CARD_NOT_FOUND: {
    status: 404,
    text: 'This card is no longer saved. Choose another card.',
  },
  PAYMENT_INTENT_NOT_FOUND: {
    status: 404,
    text: 'This user has no payment with this paymentIntentId. Start a new top-up.',
  },
  PAYMENT_FAILED: {
    status: 402,
    text: 'The card was not charged. Try again, or use another card.',
  },
  PAYMENT_PROVIDER_ERROR: {
    status: 502,
    text: 'The card processor did not respond as expected. A completed payment will be credited automatically. Try again in a moment.',
    retryAfterSeconds: 5,
  },
  INVALID_SIGNATURE: {
    status: 400,
    text: 'The signature of this event is invalid or too old. Check the webhook secret and the server clock.',
  },
  NOT_FOUND: {
    status: 404,
    text: 'Not found. The API reference is at /docs.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    text: 'This path does not accept the HTTP method of the request.',
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
    text: 'Too many requests. Wait for the number of seconds in the Retry-After header, then retry with the same reference.',
    retryAfterSeconds: 1,
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    text: 'The service cannot process this request at the moment. Retry with the same reference.',
    retryAfterSeconds: 1,
  },
  EARLIER_OPERATION_FAILED: {
    status: 503,
    text: 'Not executed, because an earlier operation of this batch on the same wallet, or with the same reference, failed or its outcome is not known yet. Send both again in the same order, with the same references.',
    retryAfterSeconds: 1,
  },
  OUTCOME_UNKNOWN: {
    status: 503,
    text: 'The outcome is not known yet. Retry with the same reference: the operation is executed at most once.',
    retryAfterSeconds: 2,
  },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof ERRORS

/** The response to an error that no endpoint lists. The details are in the log, with the request id. */
export const UNHANDLED_ERROR = {
  status: 500,
  code: 'INTERNAL_ERROR',
  text: 'Internal error. Retry with the same reference. If the error persists, report the X-Request-Id.',
} as const

/**
 * The refusals of the ledger. They are recorded as the outcome of a reference and returned to every repeated request.
 */
export const RECORDED_REFUSALS = [
  'INSUFFICIENT_BALANCE',
  'WALLET_INACTIVE',
  'CREDIT_LIMIT_EXCEEDED',
  'BALANCE_LIMIT',
  'REFUND_EXCEEDS_DEBIT',
  'WALLET_CLOSED',
  'CAPTURE_EXCEEDS_HOLD',
  'HOLD_EXPIRED',
  'HOLD_CLOSED',
  'SPEND_LIMIT_EXCEEDED',
] as const satisfies readonly ErrorCode[]

/** The body of every error response. */
export interface ErrorBody {
  error: string
  code?: ErrorCode | typeof UNHANDLED_ERROR.code
  requiresAuth?: boolean
  /** With INVALID_REQUEST and INVALID_AMOUNT: the invalid field. */
  field?: string
  /** With REFERENCE_MISMATCH, unless the client app has onMismatch: replay: the response to the first request. */
  original?: OriginalOutcome
}

/** The status and the body of the response to the first request with a reference. */
export interface OriginalOutcome {
  status: number
  type: 'debit' | 'credit' | 'refund' | 'hold' | 'capture' | 'release'
}
