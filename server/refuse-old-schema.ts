import { ConfigError, type Config } from './config.ts'
import { createPool } from './database/connect.ts'
import { findMissingMigrations } from './database/find-missing-migrations.ts'

/**
 * A new version on an old schema would report that it is ready, replace the old processes and then fail. So it does not
 * start before the migration; the old processes serve until then.
 */
export async function refuseOldSchema({ databaseUrl }: Config): Promise<void> {
  const db = createPool(databaseUrl, { size: 1, barrier: false })
  try {
    const missing = await findMissingMigrations(db)
    if (missing.length === 0) return
    throw new ConfigError(
      `The database schema lacks ${missing.join(', ')}.\n` +
        'Run coffer migrate as the owner of the database, then start again.',
    )
  } finally {
    await db.end()
  }
}
