import { RESTRICTED_SECRETS_MAX } from '@coffer/contract/limits'
import type pg from 'pg'
import type { NamedKey } from '../config.ts'
import { inTransaction, type Step } from '../database/in-transaction.ts'
import { many, one, run } from '../database/statement.ts'
import { InvalidRequest } from '../service-error.ts'
import type { Restriction } from './restriction.ts'
import {
  countOtherNames,
  insertSecret,
  listLiveSecrets,
  lockClientApp,
  retireSecrets,
  revokeSecret,
  type LiveSecret,
  addSecretEvent,
} from './secret-queries.ts'
import { generateSecret, hashSecret } from './secret.ts'

/** How long the old secret stays valid beside the new one. */
export const OVERLAPS = { none: 0, '1h': 3_600, '24h': 86_400, '7d': 604_800 } as const
export type Overlap = keyof typeof OVERLAPS

export interface Rotation {
  overlap: Overlap
  /** Of the new secret. */
  restriction?: Restriction | undefined
}

/**
 * Returns the new secret, which is not stored. It replaces the secret with the same restriction's name, or the one
 * without a restriction.
 */
export async function rotateSecret(
  { db, peppers }: { db: pg.Pool; peppers: readonly [NamedKey, ...NamedKey[]] },
  clientId: string,
  { overlap, restriction }: Rotation,
  also?: Step,
): Promise<string> {
  const clientSecret = generateSecret()
  const [pepper] = peppers
  await inTransaction(db, async (tx) => {
    const id = await lockApp(tx, clientId)
    await also?.(tx)
    if (restriction) await requireRoom(tx, id, restriction)
    await run(tx, retireSecrets(id, OVERLAPS[overlap], restriction?.name ?? null))
    const hmac = hashSecret(pepper, clientSecret, restriction)
    await run(tx, insertSecret(id, hmac, pepper.id, restriction))
    await run(tx, addSecretEvent(id, 'rotated'))
  })
  return clientSecret
}

async function requireRoom(tx: pg.ClientBase, clientAppId: bigint, { name }: Restriction) {
  const others = (await one(tx, countOtherNames(clientAppId, name))) ?? 0
  if (others < RESTRICTED_SECRETS_MAX) return
  throw new InvalidRequest(
    `The client app has ${RESTRICTED_SECRETS_MAX} restricted secrets with other names. Revoke one of them first.`,
    'name',
  )
}

export function findLiveSecrets(db: pg.Pool, clientId: string): Promise<LiveSecret[]> {
  return many(db, listLiveSecrets(clientId))
}

/** Takes effect on every process within a second. */
export async function revokeSecretNow(
  db: pg.Pool,
  clientId: string,
  secretId: bigint,
  also?: Step,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const id = await lockApp(tx, clientId)
    await also?.(tx)
    const revoked = await run(tx, revokeSecret(id, secretId))
    if (revoked === 0) throw new Error(`${clientId} has no valid secret with the id ${secretId}.`)
    await run(tx, addSecretEvent(id, 'revoked'))
  })
}

async function lockApp(tx: pg.ClientBase, clientId: string): Promise<bigint> {
  const id = await one(tx, lockClientApp(clientId))
  if (id === undefined) throw new Error(`Client app ${clientId} not found.`)
  return id
}
