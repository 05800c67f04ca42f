import { timingSafeEqual } from 'node:crypto'
import type { Settings } from '../settings.ts'
import { StripeError } from '../stripe-error.ts'

export type KeyKind = 'secret' | 'publishable'

export function authenticateKey(
  settings: Settings,
  header: string | undefined,
  keyParam: string | null,
): KeyKind {
  const key = readKey(header) ?? keyParam
  if (key === null || key === '') {
    throw refused(
      'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.',
    )
  }
  if (isEqual(key, settings.secretKey)) return 'secret'
  if (isEqual(key, settings.publishableKey)) return 'publishable'
  throw refused(`Invalid API Key provided: ${key.slice(0, 8)}****${key.slice(-4)}`)
}

export function requireSecret(kind: KeyKind) {
  if (kind === 'secret') return
  throw refused(
    'This API call cannot be made with a publishable API key. Please use a secret API key.',
    'secret_key_required',
  )
}

function readKey(header: string | undefined): string | null {
  const [scheme = '', value = ''] = (header ?? '').split(' ')
  if (scheme.toLowerCase() === 'bearer') return value
  if (scheme.toLowerCase() !== 'basic') return null
  return Buffer.from(value, 'base64').toString().split(':')[0] ?? null
}

function refused(message: string, code?: string): StripeError {
  return new StripeError(401, 'invalid_request_error', message, code === undefined ? {} : { code })
}

function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
