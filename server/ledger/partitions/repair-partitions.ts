/**
 * Empties the default partition: moves its rows to partitions of their months. Needs the owner of the tables, because
 * the service's role may not delete operations.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { isRetryable } from '../../database/connect.ts'
import { one, run } from '../../database/statement.ts'
import { FIND_STRAYS, moveStrays, type Strays } from './partition-queries.ts'
import { READ_PAUSE } from '../pause-queries.ts'

/** Debits wait while rows are moved, up to 3 s with this many rows; a request fails after 7 s. */
const MOVED_UNDER_LOAD_MAX = 100_000
const ATTEMPTS_MAX = 120
const RETRY_MS = 500

interface RepairOptions {
  /** Another transaction uses the default partition. The move is tried again. */
  onWait?: (month: string) => void
  onMoved?: (strays: Strays) => void
  mostUnderLoad?: number
}

/** Each month is moved in one transaction, so running it again after a crash continues with what is left. */
export async function repairPartitions(
  client: pg.ClientBase,
  { onWait, onMoved, mostUnderLoad = MOVED_UNDER_LOAD_MAX }: RepairOptions = {},
): Promise<void> {
  for (;;) {
    const strays = await one(client, FIND_STRAYS)
    if (strays === undefined) return
    const isPaused = ((await one(client, READ_PAUSE)) ?? null) !== null
    if (strays.rows > mostUnderLoad && !isPaused) {
      throw new Error(
        `The default partition has ${strays.rows} rows of ${strays.month}. Debits would wait too long while they are moved: pause writes with "coffer pause" first.`,
      )
    }
    await move(client, strays.month, isPaused ? '0' : '10s', () => onWait?.(strays.month))
    onMoved?.(strays)
  }
}

async function move(
  client: pg.ClientBase,
  month: string,
  statementTimeout: string,
  onWait: () => void,
) {
  for (let attempt = 1; ; attempt++) {
    try {
      for (const statement of moveStrays(month, statementTimeout)) await run(client, statement)
      return
    } catch (error) {
      await run(client, { text: 'rollback' }).catch(() => undefined)
      if (!isRetryable(error) || attempt === ATTEMPTS_MAX) throw error
      onWait()
      await sleep(RETRY_MS * (0.5 + Math.random()))
    }
  }
}
