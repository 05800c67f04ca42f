/** Migrates the database to the newest schema. A concurrent second run waits for the first and then does nothing. */
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { PG_MIGRATE_LOCK_ID, runner } from 'node-pg-migrate'
import pg from 'pg'
import { requireDemo } from './require-demo.ts'

const LOCK = `select pg_try_advisory_lock(${PG_MIGRATE_LOCK_ID}) as is_ours`
const RETRY_DELAY_MS = 200

/** `isDemo`: an empty database becomes a demo, whose balances no payment backs. Another one must already be a demo. */
export async function migrate(
  databaseUrl: string,
  log: (line: string) => void,
  isDemo = false,
): Promise<string[]> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    await lock(client)
    // The migration that creates ledger.demo records it.
    if (isDemo) await client.query(`set coffer.demo = 'on'`)
    const applied = await runner({
      dbClient: client,
      dir: fileURLToPath(new URL('migrations', import.meta.url)),
      direction: 'up',
      migrationsTable: 'migrations',
      noLock: true,
      log,
    })
    if (isDemo) await requireDemo(client)
    return applied.map((migration) => migration.name)
  } finally {
    // The lock ends with the connection.
    await client.end()
  }
}

/**
 * Tries again and again. A statement that waited for the lock would have a snapshot, and an index that is created
 * concurrently waits for the end of all snapshots: a deadlock.
 */
async function lock(client: pg.Client) {
  while (!(await client.query<{ is_ours: boolean }>(LOCK)).rows[0]?.is_ours)
    await sleep(RETRY_DELAY_MS)
}
