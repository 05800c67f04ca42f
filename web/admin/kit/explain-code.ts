const MEANINGS: Record<string, string> = {
  INVALID_CLIENT: 'The secret is wrong or revoked, or the app is not active.',
  INSUFFICIENT_SCOPE: 'The call needs a scope that the app does not have.',
  BROWSER_NOT_ALLOWED: 'A browser called the server API, so the secret has leaked. Rotate it.',
  INVALID_REQUEST: 'A field is missing or not valid.',
  INVALID_AMOUNT: 'The amount has too many decimals, has an exponent, or is out of range.',
  USER_NOT_FOUND: 'The user is not linked to this app. Show the widget without a session.',
  INVALID_SESSION: 'The session token is missing or not valid.',
  SESSION_EXPIRED: 'Sessions last 5 minutes. Create a new one and reload the widget.',
  ORIGIN_NOT_ALLOWED: 'parentOrigin is not listed in allowedIframeParents.',
  LINK_CODE_INVALID:
    'The link code is wrong, older than two minutes, or was issued for another verifier.',
  OPERATION_NOT_FOUND: 'There is no operation with this reference.',
  INSUFFICIENT_BALANCE: 'The balance is too low. A new attempt needs a new referenceId.',
  WALLET_INACTIVE: 'The wallet is frozen and cannot be debited.',
  SPEND_LIMIT_EXCEEDED: 'The person limits what the app may take.',
  CREDIT_LIMIT_EXCEEDED: 'The credit would exceed the app’s credit limit.',
  BALANCE_LIMIT: 'The balance would exceed the maximum of a wallet.',
  NOT_FOUND: 'The URL of the call is wrong.',
  PAYLOAD_TOO_LARGE: 'The body is larger than 16 KiB, or that of a batch than 512 KiB.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not sent as application/json.',
  RATE_LIMITED:
    'Too many calls. Wait as long as Retry-After says, then retry with the same reference.',
  SERVICE_UNAVAILABLE:
    'The service was overloaded, or writes were paused. Retry with the same reference.',
  EARLIER_OPERATION_FAILED:
    'An earlier operation of the batch on the same wallet failed. Send both again in the same order.',
  OUTCOME_UNKNOWN:
    'It is not known whether the operation was executed. Retry with the same reference: it is executed at most once.',
}

/** What an error code means, for the developers of a client app. */
export function explainCode(code: string): string {
  return MEANINGS[code] ?? 'See the API reference at /docs.'
}
