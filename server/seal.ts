/** Encrypts what the service must be able to read again, with a key that is not in the database. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { NamedKey } from './config.ts'

export interface Sealed {
  sealed: Buffer
  keyId: string
}

/** What the text is. Each purpose has a key of its own. The one of `fingerprint` is not secret. */
export type Purpose = 'totp seed' | 'recovery code' | 'webhook secret' | 'key copy' | 'fingerprint'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** `owner`: the id of the row that it belongs to. It cannot be opened in another row. */
export function seal(
  key: NamedKey,
  purpose: Purpose,
  owner: bigint | string,
  bytes: Buffer,
): Sealed {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(key, purpose), nonce)
  cipher.setAAD(Buffer.from(String(owner)))
  const text = Buffer.concat([cipher.update(bytes), cipher.final()])
  return { sealed: Buffer.concat([nonce, text, cipher.getAuthTag()]), keyId: key.id }
}

export function open(
  key: NamedKey,
  purpose: Purpose,
  owner: bigint | string,
  sealed: Buffer,
): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(key, purpose), nonce, {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(String(owner)))
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  const text = sealed.subarray(NONCE_BYTES, -TAG_BYTES)
  return Buffer.concat([decipher.update(text), decipher.final()])
}

/** `variable` configures the keys. */
export function findKey(keys: readonly NamedKey[], keyId: string, variable: string): NamedKey {
  const key = keys.find(({ id }) => id === keyId)
  if (key === undefined)
    throw new Error(`${variable} is missing the key ${keyId}, which is still in use.`)
  return key
}

export function deriveKey({ key }: NamedKey, purpose: Purpose): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `coffer ${purpose}`, 32))
}
