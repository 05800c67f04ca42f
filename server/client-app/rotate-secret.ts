import type pg from 'pg'
import type { Pepper } from '../config.ts'
import { inTransaction, type Step } from '../database/in-transaction.ts'
import { many, one, run } from '../database/statement.ts'
import { addSecretEvent } from '../outbox/queries.ts'
import {
  insertSecret,
  listLiveSecrets,
  lockClientApp,
  retireSecrets,
  revokeSecret,
  type LiveSecret,
} from './secret-queries.ts'
import { generateSecret, hashSecret } from './secret.ts'

/** How long the old secret stays valid beside the new one. */
export const OVERLAPS = { none: 0, '1h': 3_600, '24h': 86_400, '7d': 604_800 } as const
export type Overlap = keyof typeof OVERLAPS

/** Returns the new secret, which is not stored. */
export async function rotateSecret(
  { db, peppers }: { db: pg.Pool; peppers: readonly [Pepper, ...Pepper[]] },
  clientId: string,
  overlap: Overlap,
  also?: Step,
): Promise<string> {
  const clientSecret = generateSecret()
  const [pepper] = peppers
  await inTransaction(db, async (tx) => {
    const id = await lockApp(tx, clientId)
    await also?.(tx)
    await run(tx, retireSecrets(id, OVERLAPS[overlap]))
    await run(tx, insertSecret(id, hashSecret(pepper, clientSecret), pepper.id))
    await run(tx, addSecretEvent(id, 'rotated'))
  })
  return clientSecret
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
