/** Secrets of webhooks sign requests, so they are encrypted and not hashed. */
import type { Pepper } from '../config.ts'
import { findKey, open, seal, type Sealed } from '../seal.ts'
import type { StoredSecrets } from './queries.ts'

type Peppers = readonly [Pepper, ...Pepper[]]

export function sealSecret([newest]: Peppers, webhookId: string, secret: Buffer): Sealed {
  return seal(newest, 'webhook secret', webhookId, secret)
}

/** The secrets that sign now. */
export function openSecrets(
  peppers: Peppers,
  webhookId: string,
  { current, previous }: StoredSecrets,
): Buffer[] {
  const sealed = previous ? [current, previous] : [current]
  return sealed.map((each) => openSecret(peppers, webhookId, each))
}

export function openSecret(peppers: Peppers, webhookId: string, { keyId, sealed }: Sealed): Buffer {
  return open(findKey(peppers, keyId, 'SECRET_PEPPERS'), 'webhook secret', webhookId, sealed)
}
