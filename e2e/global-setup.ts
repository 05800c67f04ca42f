/** A PostgreSQL, a card processor and a service process of our own for the browser tests. */
import { startSandbox } from '../sandbox/start-sandbox.ts'
import { globalSetup, globalTeardown } from '../server/test/global-setup.ts'
import { cloneDatabase } from '../server/test/database.ts'
import { spawnService } from '../server/test/harness.ts'

/** People of the tests all come from one address. */
const GENEROUS = {
  LOG_INS_PER_MINUTE: '10000',
  SIGN_UPS_PER_HOUR: '10000',
  PASSWORD_HASHES_PER_SECOND: '1000',
  WIDGET_REQUESTS_PER_SECOND: '100',
}

export default async function start() {
  await globalSetup()
  const database = await cloneDatabase()
  const sandbox = await startSandbox()
  const service = await spawnService(database.url, {
    ...GENEROUS,
    STRIPE_SECRET_KEY: sandbox.secretKey,
    STRIPE_PUBLISHABLE_KEY: sandbox.publishableKey,
    STRIPE_WEBHOOK_SECRET: sandbox.webhookSecret,
    STRIPE_API_URL: sandbox.url,
    STRIPE_SCRIPT_URL: `${sandbox.publicUrl}/v3/`,
  })
  sandbox.addWebhookEndpoint(`${service.url}/api/processor/webhook`)
  process.env['SERVICE_URL'] = service.url
  process.env['SERVICE_DATABASE_URL'] = database.url
  process.env['SANDBOX_URL'] = sandbox.publicUrl
  return async () => {
    await service.kill('SIGTERM')
    await sandbox.close()
    await globalTeardown()
  }
}
