import { spawnService, TEST_ADMIN_KEY } from '../server/test/harness.ts'
import { HIGH_LIMITS } from './global-setup.ts'

/** Another process of the worker's service, with its own settings. */
export function startService(env: Record<string, string>) {
  const databaseUrl = process.env['SERVICE_DATABASE_URL'] ?? ''
  return spawnService(databaseUrl, {
    ...HIGH_LIMITS,
    ADMIN_KEYS: TEST_ADMIN_KEY,
    // Another test, which may have the same worker, shows what a missing key looks like.
    ALLOW_MISSING_KEYS: 'true',
    ...env,
  })
}
