import type pg from 'pg'
import { one } from '../database/statement.ts'
import * as query from './decision-queries.ts'
import { readDurably } from './read-durably.ts'
import type { Decision } from './types.ts'

interface Key {
  digest: string
  /** The wallet that the pair belongs to; null if the caller does not know it. */
  walletId: bigint | null
}

/**
 * Finds the decision about a pair. The transaction that reads it also writes WAL and commits, so a decision that this
 * function returns has reached the standby. It reports "nothing" only after every transaction that was writing a
 * decision for this pair has ended: a commit that waits for its standby is invisible until then.
 */
export function findDurably(
  pool: pg.Pool,
  key: Key,
  requiresStandby: boolean,
): Promise<Decision | undefined> {
  return readDurably(
    pool,
    requiresStandby,
    async (client) => (await find(client, key)) ?? findAfterWaiting(client, key),
  )
}

/**
 * A batch locks its wallets before it writes keys and keeps the locks until its commit is visible, so waiting for the
 * wallet's lock is the safest. If the wallet is not known, wait for the key.
 */
async function findAfterWaiting(client: pg.PoolClient, key: Key): Promise<Decision | undefined> {
  if (key.walletId !== null) await client.query(query.waitForWallet(key.walletId))
  else await client.query(query.waitForKey(key.digest))
  return find(client, key)
}

async function find(client: pg.PoolClient, { digest }: Key): Promise<Decision | undefined> {
  return one(client, query.findDecisions([digest]))
}
