import * as query from '../post/decision-queries.ts'
import type pg from 'pg'
import { BARRIER } from '../../database/connect.ts'
import { ServiceError } from '../../service-error.ts'
import { lacksStandby, REQUIRE_STANDBY } from '../post/standby-queries.ts'
import { one } from '../../database/statement.ts'
import type { Decision } from '../types.ts'

/**
 * Reads in a transaction that also writes WAL and commits, so everything that it read has reached the standby. Throws
 * SERVICE_UNAVAILABLE if that is not certain.
 */
export async function readDurably<Result>(
  pool: pg.Pool,
  requiresStandby: boolean,
  read: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let warned = false
  const onNotice = () => {
    warned = true
  }
  client.on('notice', onNotice)
  try {
    await client.query('begin')
    const result = await read(client)
    await client.query(BARRIER)
    if (requiresStandby) await client.query(REQUIRE_STANDBY)
    await client.query('commit')
    // The server warns when a commit stopped waiting for its standby.
    if (warned) throw new ServiceError('SERVICE_UNAVAILABLE')
    client.off('notice', onNotice)
    client.release()
    return result
  } catch (error) {
    if (!lacksStandby(error)) {
      client.release(true)
      throw error
    }
    // Keep the connection: a new one would wait for a standby before its first statement.
    await client.query('rollback').catch(() => undefined)
    client.off('notice', onNotice)
    client.release()
    throw new ServiceError('SERVICE_UNAVAILABLE')
  }
}

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
