import type pg from 'pg'
import { BARRIER } from '../database/connect.ts'
import { ServiceError } from '../service-error.ts'
import { lacksStandby, REQUIRE_STANDBY } from './standby-queries.ts'

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
