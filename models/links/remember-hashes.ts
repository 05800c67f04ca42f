/** Hashing is slow on purpose, and a model asks for the same few passwords again and again. */
import type { Passwords } from '../../server/identity/hash-password.ts'

/** How many different hashes of one password there are. */
const SALTS = 4

/** Each password is hashed a few times only, and each hash is compared with a password once. */
export function rememberHashes(passwords: Passwords) {
  const hash = passwords.hash.bind(passwords)
  const isRight = passwords.isRight.bind(passwords)
  const hashes = new Map<string, string[]>()
  const compared = new Map<string, boolean>()
  Object.assign(passwords, {
    async hash(password: string): Promise<string> {
      const known = hashes.get(password) ?? []
      hashes.set(password, known)
      if (known.length === SALTS) known.push(known.shift() as string)
      else known.push(await hash(password))
      return known.at(-1) as string
    },
    async isRight(password: string, passwordHash: string | null | undefined): Promise<boolean> {
      const key = `${password} ${passwordHash}`
      const result = compared.get(key) ?? (await isRight(password, passwordHash))
      compared.set(key, result)
      return result
    },
  } satisfies Pick<Passwords, 'hash' | 'isRight'>)
}
