/** Signs requests as Standard Webhooks defines it, so that receivers can use any library for it. */
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export function generateSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/** What the receiver configures. */
export function showSecret(secret: Buffer): string {
  return PREFIX + secret.toString('base64')
}

/** `secrets`: during a rotation the old one signs too. */
export function signRequest(
  { id, body, at }: { id: string; body: string; at: Date },
  secrets: readonly Buffer[],
): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1_000))
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`)
    return `v1,${hmac.digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': signatures.join(' '),
  }
}
