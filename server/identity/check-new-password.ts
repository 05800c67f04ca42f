import { ServiceError } from '../service-error.ts'

/**
 * Requires a minimum length, and refuses common passwords and the person's own email address. There are no rules about
 * kinds of characters.
 */
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

/** Common passwords, in lower case. A password is looked up with and without the digits and symbols around it. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `000000000000 111111111111 111222333444 112233445566 121212121212 123123123123 123456123456
  123456789012 1234567890123 12345678901234 1q2w3e4r5t6y 1qaz2wsx3edc 1qaz2wsx3edc4rfv
  222222222222 987654321012 abc123abc123 abcdabcdabcd abcdefghijkl abcdefghijklm
  abcdefghijklmnopqrstuvwxyz access accessaccess admin adminadmin administrator asdf1234asdf
  asdfasdfasdf asdfghjkl asdfghjklzxcvbnm baseball basketball batman changeme changemenow
  charlie coffer cofferwallet computer correcthorsebatterystaple dragon facebook football
  forgotpassword freedom google hello hellohello helloworld iloveyou iloveyouforever internet
  iphone jennifer jessica letmein letmeinplease master michael monkey mypassword mypasswordis
  mywallet nopassword passw0rd password password1234 password12345 password123456
  passwordpassword passwordpasswordpassword passwort pokemon princess q1w2e3r4t5y6 qazwsxedc
  qazwsxedcrfv qwerty qwerty123456 qwerty12345678 qwertyqwerty qwertyuiop qwertyuiopasdfghjkl
  qwertzuiop samsung secret secretsecret shadow spiderman starwars sunshine sunshinesunshine
  superman thisisapassword thisismypassword topsecret trustno wallet welcome welcometo
  whatever zaq12wsxcde3 zxcvbnm`.split(/\s+/),
)
