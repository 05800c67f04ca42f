/** Authenticator seeds are encrypted and recovery codes hashed with keys that are not in the database. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Pepper } from '../config.ts'

export type AdminKeys = readonly [Pepper, ...Pepper[]]

export interface SealedSeed {
  sealed: Buffer
  keyId: string
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Bound to the operator: it cannot be opened in another operator's row. */
export function sealSeed([key]: AdminKeys, operatorId: bigint, seed: Buffer): SealedSeed {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(key, 'totp seed'), nonce)
  cipher.setAAD(Buffer.from(String(operatorId)))
  const text = Buffer.concat([cipher.update(seed), cipher.final()])
  return { sealed: Buffer.concat([nonce, text, cipher.getAuthTag()]), keyId: key.id }
}

export function openSeed(
  keys: AdminKeys,
  operatorId: bigint,
  { sealed, keyId }: SealedSeed,
): Buffer {
  const key = deriveKey(findKey(keys, keyId), 'totp seed')
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(String(operatorId)))
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  const text = sealed.subarray(NONCE_BYTES, -TAG_BYTES)
  return Buffer.concat([decipher.update(text), decipher.final()])
}

/** A recovery code is short enough for a brute-force search, so its hash needs a key as well. */
export function hashRecoveryCode(
  keys: AdminKeys,
  keyId: string,
  operatorId: bigint,
  code: string,
): Buffer {
  const key = deriveKey(findKey(keys, keyId), 'recovery code')
  return createHmac('sha256', key).update(`${operatorId} ${code}`).digest()
}

function findKey(keys: AdminKeys, keyId: string): Pepper {
  const key = keys.find(({ id }) => id === keyId)
  if (key === undefined)
    throw new Error(`ADMIN_KEYS is missing the key ${keyId}, which is still in use.`)
  return key
}

function deriveKey({ key }: Pepper, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `coffer ${purpose}`, 32))
}
