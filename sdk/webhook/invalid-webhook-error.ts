export type InvalidWebhookCode =
  | 'MISSING_HEADER'
  | 'INVALID_TIMESTAMP'
  | 'TIMESTAMP_TOO_OLD'
  | 'TIMESTAMP_TOO_NEW'
  | 'NO_MATCHING_SIGNATURE'
  | 'INVALID_BODY'
  | 'INVALID_SECRET'

/**
 * The request is not a webhook that the service has just sent. Do not act on it: log the message and respond with 400.
 * The message contains no secret and nothing of the request.
 */
export class InvalidWebhookError extends Error {
  readonly code: InvalidWebhookCode

  constructor(code: InvalidWebhookCode, message: string) {
    super(message)
    this.name = new.target.name
    this.code = code
  }
}
