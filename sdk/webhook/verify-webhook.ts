import type { WebhookEvent, WebhookHeaders } from './types.ts'
import { InvalidWebhookError } from './invalid-webhook-error.ts'
import { decodeBase64, readSecrets } from './read-secret.ts'
import { isSignature, VERSION, type SignedPart } from './sign-webhook.ts'

const TOLERANCE_SECONDS = 300
/** The service sends one per secret. More would only cost time. */
const SIGNATURES_MAX = 16

/**
 * Checks that a webhook request came from the service, was not changed and is not older than five minutes, and returns
 * its event. Pass the body exactly as it was received, before anything parses it. While you rotate the secret, pass both.
 * Throws InvalidWebhookError.
 *
 * You can get the same event again, with the same id, and types that this version does not know.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | undefined | readonly (string | undefined)[],
): Promise<WebhookEvent> {
  const keys = readSecrets(secret)
  refuseParsedBody(rawBody)
  const [id, timestamp, signatures] = [
    readHeader(headers, 'webhook-id'),
    readHeader(headers, 'webhook-timestamp'),
    readHeader(headers, 'webhook-signature'),
  ]
  checkTimestamp(timestamp)
  await checkSignatures(keys, signatures, { id, timestamp, body: rawBody })
  return readEvent(rawBody)
}

function refuseParsedBody(rawBody: unknown) {
  if (typeof rawBody === 'string' || rawBody instanceof Uint8Array) return
  throw new InvalidWebhookError(
    'INVALID_BODY',
    'The body must be the text or the bytes of the request, but it is another value. Read it before a JSON parser does: with Express use express.raw({ type: "application/json" }) for this route.',
  )
}

/** Also finds names that are not in lower case, as some platforms pass them. */
function readHeader(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const text = typeof value === 'object' ? value?.join(',') : value
  if (text) return text
  throw new InvalidWebhookError(
    'MISSING_HEADER',
    `The request has no header ${name}, so it is not a webhook of the service, or something in between removed the header. Pass all headers of the request.`,
  )
}

function isHeaders(
  headers: WebhookHeaders,
): headers is Extract<WebhookHeaders, { get: (name: string) => string | null }> {
  return typeof headers['get'] === 'function'
}

function checkTimestamp(timestamp: string) {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new InvalidWebhookError(
      'INVALID_TIMESTAMP',
      'The header webhook-timestamp is not a number of seconds, so the request is not a webhook of the service.',
    )
  }
  const ageSeconds = Math.floor(Date.now() / 1_000) - Number(timestamp)
  if (ageSeconds > TOLERANCE_SECONDS) {
    throw new InvalidWebhookError(
      'TIMESTAMP_TOO_OLD',
      `The request was signed ${ageSeconds} seconds ago, and at most ${TOLERANCE_SECONDS} are allowed. Check the clock of this machine. If it is right, somebody may have sent an old request again.`,
    )
  }
  if (ageSeconds < -TOLERANCE_SECONDS) {
    throw new InvalidWebhookError(
      'TIMESTAMP_TOO_NEW',
      `The request was signed ${-ageSeconds} seconds in the future, and at most ${TOLERANCE_SECONDS} are allowed. Check the clock of this machine.`,
    )
  }
}

/** One of the signatures must be made with one of the secrets. While a secret is rotated there are several of both. */
async function checkSignatures(
  keys: Uint8Array<ArrayBuffer>[],
  header: string,
  part: SignedPart,
): Promise<void> {
  const signatures = header
    .split(' ', SIGNATURES_MAX)
    .filter((text) => text.startsWith(VERSION))
    .flatMap((text) => decodeBase64(text.slice(VERSION.length)) ?? [])
  for (const key of keys) {
    for (const signature of signatures) if (await isSignature(key, signature, part)) return
  }
  throw new InvalidWebhookError(
    'NO_MATCHING_SIGNATURE',
    'No signature of the request matches. Check that the secret is that of this endpoint, and that the body is exactly what was received: not parsed and written again. Otherwise the request is not from the service.',
  )
}

function readEvent(rawBody: string | Uint8Array): WebhookEvent {
  const text = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody)
  try {
    const event = JSON.parse(text) as Partial<WebhookEvent> | null
    const isEvent = typeof event?.id === 'string' && typeof event.type === 'string'
    if (isEvent && typeof event.data === 'object' && event.data !== null) {
      return event as WebhookEvent
    }
  } catch {
    // Not JSON.
  }
  throw new InvalidWebhookError(
    'INVALID_BODY',
    'The signature is right, but the body is not the JSON of an event. Check that only Coffer signs with this secret.',
  )
}
