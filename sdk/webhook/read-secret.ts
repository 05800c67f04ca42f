/** Reads the signing secrets of an endpoint, and reports one that cannot be right. */
import { InvalidWebhookError } from './invalid-webhook-error.ts'

const PREFIX = 'whsec_'
const BYTES_MIN = 24
const BYTES_MAX = 64

/** The keys of all secrets. In a list, secrets that are not set are left out: between rotations there is only one. */
export function readSecrets(
  secrets: string | undefined | readonly (string | undefined)[],
): Uint8Array<ArrayBuffer>[] {
  const list = typeof secrets === 'string' || secrets === undefined ? [secrets] : [...secrets]
  const given = list.filter((secret): secret is string => secret !== undefined && secret !== '')
  if (given.length > 0) return given.map(readSecret)
  throw new InvalidWebhookError(
    'INVALID_SECRET',
    'The signing secret is missing. Set it from the configuration of your backend. It begins with whsec_.',
  )
}

/** The messages do not repeat the text, because most of it may be right. */
export function readSecret(secret: string): Uint8Array<ArrayBuffer> {
  if (!secret.startsWith(PREFIX)) {
    throw new InvalidWebhookError(
      'INVALID_SECRET',
      'The signing secret must begin with whsec_. Use the secret of the webhook endpoint, not the client secret of your app.',
    )
  }
  const key = decodeBase64(secret.slice(PREFIX.length))
  if (key && key.length >= BYTES_MIN && key.length <= BYTES_MAX) return key
  throw new InvalidWebhookError(
    'INVALID_SECRET',
    `The signing secret must be whsec_ and the base64 text of ${BYTES_MIN} to ${BYTES_MAX} bytes. Copy it completely, including = at its end, and without spaces or quotes.`,
  )
}

export function writeSecret(key: Uint8Array): string {
  return PREFIX + encodeBase64(key)
}

export function encodeBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

/** undefined if it is not exactly how these bytes are written. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    return encodeBase64(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}
