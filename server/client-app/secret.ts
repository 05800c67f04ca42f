import { createHmac, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { NamedKey } from '../config.ts'
import { writeRestriction, type Restriction } from './restriction.ts'

/** The fixed prefix and the checksum let secret scanners find a leaked secret without false alarms. */
const PREFIX = 'coffer_sk_'

export function generateSecret(): string {
  const random = randomBytes(32).toString('base64url')
  return PREFIX + random + checksum(random)
}

export function isSecretShaped(text: string): boolean {
  const match = /^coffer_sk_([\w-]{43})([0-9a-f]{8})$/.exec(text)
  return match?.[1] !== undefined && checksum(match[1]) === match[2]
}

/** The hash covers the restriction, so nobody can lift it by changing the database. */
export function hashSecret(
  pepper: NamedKey,
  secret: string,
  restriction: Restriction | null = null,
): Buffer {
  const hmac = createHmac('sha256', pepper.key).update(secret)
  if (restriction) hmac.update(`\n${writeRestriction(restriction)}`)
  return hmac.digest()
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}
