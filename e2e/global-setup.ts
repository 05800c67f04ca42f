/** One PostgreSQL for all browser tests, and for each worker its own database, card processor and service. */
import type { FullConfig } from '@playwright/test'
import { startSandbox } from '../sandbox/start-sandbox.ts'
import { globalSetup, globalTeardown } from '../server/test/global-setup.ts'
import { cloneDatabase } from '../server/test/database.ts'
import { spawnService, TEST_ADMIN_KEY } from '../server/test/harness.ts'
import { stripeEnv } from '../sandbox/stripe-env.ts'

/** All people of the tests have the same IP address. */
export const HIGH_LIMITS = {
  LOG_INS_PER_MINUTE: '10000',
  SIGN_UPS_PER_HOUR: '10000',
  PASSWORD_HASHES_PER_SECOND: '1000',
  WIDGET_REQUESTS_PER_SECOND: '100',
}

async function startPlatform() {
  const database = await cloneDatabase()
  const sandbox = await startSandbox()
  const service = await spawnService(database.url, {
    ...HIGH_LIMITS,
    ADMIN_KEYS: TEST_ADMIN_KEY,
    ALLOW_LOOPBACK_WEBHOOKS: 'true',
    ...stripeEnv(sandbox),
  })
  sandbox.addWebhookEndpoint(`${service.url}/api/processor/webhook`)
  return {
    env: {
      SERVICE_URL: service.url,
      SERVICE_DATABASE_URL: database.url,
      SANDBOX_URL: sandbox.publicUrl,
    },
    async stop() {
      await service.kill('SIGINT')
      await sandbox.close()
    },
  }
}

export default async function start({ workers }: FullConfig) {
  await globalSetup()
  const platforms = await Promise.all(Array.from({ length: workers }, startPlatform))
  process.env['PLATFORMS'] = JSON.stringify(platforms.map(({ env }) => env))
  return async () => {
    await Promise.all(platforms.map((platform) => platform.stop()))
    await globalTeardown()
  }
}
