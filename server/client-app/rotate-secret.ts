import type pg from 'pg'
import type { Pepper } from '../config.ts'
import { inTransaction, type Step } from '../database/in-transaction.ts'
import {
  insertSecret,
  listLiveSecrets,
  lockClientApp,
  retireSecrets,
  revokeSecret,
} from './queries.ts'
import { generateSecret, hashSecret } from './secret.ts'

/** How long the old secret stays valid beside the new one. */
export const OVERLAPS = { none: 0, '1h': 3_600, '24h': 86_400, '7d': 604_800 } as const
export type Overlap = keyof typeof OVERLAPS

/** Returns the new secret, once. */
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
    await tx.query(retireSecrets(id, OVERLAPS[overlap]))
    await tx.query(insertSecret(id, hashSecret(pepper, clientSecret), pepper.id))
  })
  return clientSecret
}

export interface LiveSecret {
  id: bigint
  createdAt: Date
  expiresAt: Date | null
}

export async function findLiveSecrets(db: pg.Pool, clientId: string): Promise<LiveSecret[]> {
  const { rows } = await db.query<{ id: bigint; created_at: Date; expires_at: Date | null }>(
    listLiveSecrets(clientId),
  )
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }))
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
    const { rowCount } = await tx.query(revokeSecret(id, secretId))
    if (rowCount === 0) throw new Error(`${clientId} has no live secret with the id ${secretId}.`)
  })
}

async function lockApp(tx: pg.ClientBase, clientId: string): Promise<bigint> {
  const { rows } = await tx.query<{ id: bigint }>(lockClientApp(clientId))
  if (rows[0] === undefined) throw new Error(`There is no client app ${clientId}.`)
  return rows[0].id
}
