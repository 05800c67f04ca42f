/** Authenticator seeds are encrypted and recovery codes hashed with keys that are not in the database. */
import { createHmac } from 'node:crypto'
import type { NamedKey } from '../config.ts'
import { deriveKey, findKey, open, seal, type Sealed } from '../seal.ts'

export type AdminKeys = readonly [NamedKey, ...NamedKey[]]
export type SealedSeed = Sealed

const VARIABLE = 'ADMIN_KEYS'

export function sealSeed([key]: AdminKeys, operatorId: bigint, seed: Buffer): SealedSeed {
  return seal(key, 'totp seed', operatorId, seed)
}

export function openSeed(
  keys: AdminKeys,
  operatorId: bigint,
  { sealed, keyId }: SealedSeed,
): Buffer {
  return open(findKey(keys, keyId, VARIABLE), 'totp seed', operatorId, sealed)
}

/** A recovery code is short enough for a brute-force search, so its hash needs a key as well. */
export function hashRecoveryCode(
  keys: AdminKeys,
  keyId: string,
  operatorId: bigint,
  code: string,
): Buffer {
  const key = deriveKey(findKey(keys, keyId, VARIABLE), 'recovery code')
  return createHmac('sha256', key).update(`${operatorId} ${code}`).digest()
}
