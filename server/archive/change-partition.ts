import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { isRetryable } from '../database/connect.ts'
import { run } from '../database/statement.ts'
import { ROLLBACK_TO_SAVEPOINT, SAVEPOINT } from './archive-queries.ts'

const ATTEMPTS_MAX = 200
const RETRY_MS = 200
const RETRY_MAX_MS = 5_000

/**
 * Detaches or attaches a partition, and commits the transaction of the client. It waits only briefly for its locks, because
 * debits wait meanwhile; if it does not get them, it tries again later. A long transaction, such as that of `coffer
 * verify`, keeps the partition until it ends.
 */
export async function changePartition(
  client: pg.ClientBase,
  statement: pg.QueryConfig,
  onWait: () => void,
): Promise<void> {
  await run(client, SAVEPOINT)
  for (let attempt = 1; ; attempt++) {
    try {
      return void (await run(client, statement))
    } catch (error) {
      if (!isRetryable(error)) throw error
      await run(client, ROLLBACK_TO_SAVEPOINT)
      if (attempt === ATTEMPTS_MAX) {
        throw new Error(
          'Other transactions use ledger.operations all the time. Find them in pg_stat_activity, wait until they end, and run the command again.',
          { cause: error },
        )
      }
      onWait()
      await sleep(Math.min(RETRY_MAX_MS, RETRY_MS * attempt) * (0.5 + Math.random()))
    }
  }
}
