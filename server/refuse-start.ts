import { type Config, ConfigError } from './config.ts'
import { createPool } from './database/connect.ts'
import { isDemo } from './database/require-demo.ts'
import { findMissingMigrations } from './database/find-missing-migrations.ts'

export const LIVE_DEMO =
  'This database was created as a demo, so it may contain balances that no payment backs, but STRIPE_SECRET_KEY is live.'
export const USE_ANOTHER =
  'For real money, create another database and run coffer migrate without --demo on it.'

/** Only a process that serves has a port: commands do not need the setting. */
export function refusePublicMetrics({ stripe, metricsPort }: Config): void {
  if (stripe === undefined || stripe.isTest || metricsPort !== undefined) return
  throw new ConfigError(
    'Invalid configuration:\n  METRICS_PORT is missing: /metrics must not be on the public port (STRIPE_SECRET_KEY is live)',
  )
}

/** Real payments and balances that no payment backs must not be in the same books. */
export async function refuseLiveDemo({ databaseUrl, stripe }: Config): Promise<void> {
  if (stripe === undefined || stripe.isTest) return
  const db = createPool(databaseUrl, { size: 1, barrier: false })
  try {
    if (await isDemo(db)) throw new ConfigError(`${LIVE_DEMO}\n${USE_ANOTHER}`)
  } finally {
    await db.end()
  }
}

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
