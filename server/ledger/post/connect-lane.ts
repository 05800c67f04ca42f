/** The connection of a lane, and what its errors mean. */
import pg from 'pg'
import {
  BARRIER,
  checkSession,
  clientConfig,
  isConnectionFailure,
  isRetryable,
} from '../../database/connect.ts'
import type { ConnectionWatch } from '../../database/watch-connections.ts'
import { CommitInDoubt, type LaneClient } from './batch.ts'
import type { BatchTime } from './queue-limit.ts'
import { lacksStandby } from './standby-queries.ts'

export interface Lane {
  isSide: boolean
  client: LaneClient | undefined
  failures: number
  /** How many batches look for earlier decisions before they decide. */
  lookUps: number
  /** The last batch; undefined if it failed. */
  last: BatchTime | undefined
}

export function createLane(isSide: boolean): Lane {
  return { isSide, client: undefined, failures: 0, lookUps: 0, last: undefined }
}

export async function connectLane(
  lane: Lane,
  { databaseUrl, requiresStandby }: { databaseUrl: string; requiresStandby: boolean },
  watch: ConnectionWatch,
): Promise<LaneClient> {
  const settings = {
    lock_timeout: lane.isSide ? '1s' : '50ms',
    idle_in_transaction_session_timeout: '10s',
  }
  const config = clientConfig(databaseUrl, settings)
  const client: LaneClient = new pg.Client({ ...config, pipeline: true })
  client.requiresStandby = requiresStandby
  client.on('error', () => {
    if (lane.client === client) lane.client = undefined
  })
  client.on('notice', () => {
    client.warned = true
  })
  await client.connect()
  watch.add(client)
  await checkSession(client, settings)
  await client.query(BARRIER)
  return client
}

export function discard(lane: Lane) {
  const { client } = lane
  lane.client = undefined
  client?.end().catch(() => undefined)
}

export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03'
}

/** One of the pairs has a decision already, perhaps by another batch that runs at the same time. */
export function wasDecidedBefore(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  return error.code === '23505' && error.table === 'operation_keys'
}

/** Running the batch again may succeed. */
export function isBatchRetryable(error: unknown): boolean {
  const isPassing = isConnectionFailure(error) || isRetryable(error) || lacksStandby(error)
  return isPassing || error instanceof CommitInDoubt || wasDecidedBefore(error)
}
