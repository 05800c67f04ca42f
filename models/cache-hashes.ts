/** Hashing is slow on purpose, and a model uses the same few passwords again and again. */
import type { Passwords } from '../server/identity/hash-password.ts'

/** Each password gets only this number of different hashes, and each hash is compared with a password once. */
export function cacheHashes(passwords: Passwords, hashesPerPassword: number) {
  const hash = passwords.hash.bind(passwords)
  const isRight = passwords.isRight.bind(passwords)
  const hashes = new Map<string, string[]>()
  const compared = new Map<string, boolean>()
  Object.assign(passwords, {
    async hash(password: string): Promise<string> {
      const known = hashes.get(password) ?? []
      hashes.set(password, known)
      if (known.length === hashesPerPassword) known.push(known.shift() as string)
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
