/** The signature of a webhook: https://www.standardwebhooks.com, HMAC-SHA256 of `id.timestamp.body`. */
import { encodeBase64 } from './read-secret.ts'

export const VERSION = 'v1,'
const HMAC = { name: 'HMAC', hash: 'SHA-256' }

export interface SignedPart {
  id: string
  /** Seconds, as in the header. */
  timestamp: string
  body: string | Uint8Array
}

export async function signWebhook(
  key: Uint8Array<ArrayBuffer>,
  part: SignedPart,
): Promise<Record<string, string>> {
  const signature = await crypto.subtle.sign(HMAC, await importKey(key), toBytes(part))
  return {
    'webhook-id': part.id,
    'webhook-timestamp': part.timestamp,
    'webhook-signature': VERSION + encodeBase64(new Uint8Array(signature)),
  }
}

/** Takes the same time whichever bytes differ. */
export async function isSignature(
  key: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  part: SignedPart,
): Promise<boolean> {
  return crypto.subtle.verify(HMAC, await importKey(key), signature, toBytes(part))
}

function importKey(key: Uint8Array<ArrayBuffer>) {
  return crypto.subtle.importKey('raw', key, HMAC, false, ['sign', 'verify'])
}

/** The body's bytes are used as they are: decoding and encoding them could change them. */
function toBytes({ id, timestamp, body }: SignedPart): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder()
  const start = encoder.encode(`${id}.${timestamp}.`)
  const rest = typeof body === 'string' ? encoder.encode(body) : body
  const bytes = new Uint8Array(start.length + rest.length)
  bytes.set(start)
  bytes.set(rest, start.length)
  return bytes
}
