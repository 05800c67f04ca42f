/** Codes of an authenticator (RFC 6238, six digits, 30 seconds each), and recovery codes for when it is lost. */
import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const PERIOD_SECONDS = 30
/** Tolerates phones whose clock is slightly wrong. */
const STEPS_OFF = 1
const SEED_BYTES = 20
const RECOVERY_CODES = 10
/** Without characters that are easily confused; 32 of them, so that each is equally likely. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

export function generateSeed(): Buffer {
  return randomBytes(SEED_BYTES)
}

/** The content of the QR code for the authenticator. */
export function writeTotpUri(seed: Buffer, email: string): string {
  return new TOTP({ issuer: 'Coffer', label: email, secret: toSecret(seed) }).toString()
}

/** The 30-second step that a code belongs to; undefined if it does not belong to a step near now. */
export function findStep(seed: Buffer, code: string, nowMs: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const totp = new TOTP({ secret: toSecret(seed) })
  const delta = totp.validate({ token: code, timestamp: nowMs, window: STEPS_OFF })
  return delta === null ? undefined : Math.floor(nowMs / 1000 / PERIOD_SECONDS) + delta
}

export function generateRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const letters = [...randomBytes(12)].map((byte) => LETTERS[byte % 32]).join('')
    return letters.replace(/(.{4})(.{4})(.{4})/, '$1-$2-$3')
  })
}

/** Normalizes a typed recovery code; undefined if it cannot be one. */
export function readRecoveryCode(text: string): string | undefined {
  const letters = text.toUpperCase().replace(/[\s-]/g, '')
  if (!/^[A-HJ-NP-Z2-9]{12}$/.test(letters)) return undefined
  return letters.replace(/(.{4})(.{4})(.{4})/, '$1-$2-$3')
}

function toSecret(seed: Buffer): Secret {
  return new Secret({ buffer: new Uint8Array(seed).buffer })
}
