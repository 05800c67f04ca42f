import { ServiceError } from '../service-error.ts'
import { COMMON_PASSWORDS } from './common-passwords.ts'

/** No composition rules: long enough, not a common password, and not the person's own email address. */
export function checkNewPassword(password: string, email: string, min: number): void {
  const normal = password.normalize('NFKC').toLowerCase()
  const [localPart = ''] = email.toLowerCase().split('@')
  const isOwn = localPart.length >= 4 && normal.includes(localPart)
  // "password" repeated, or "coffer" with a year, is no better than the word itself.
  const bare = normal.replace(/[\d\W_]+/g, '')
  const isRepeated = /^(.{1,4})\1+$/.test(normal)
  const isCommon = COMMON_PASSWORDS.has(normal) || COMMON_PASSWORDS.has(bare) || isRepeated
  if (Array.from(normal).length < min || isOwn || isCommon)
    throw new ServiceError('PASSWORD_REFUSED')
}
