/** A PostgreSQL and a service process of our own for the browser tests. */
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
  const service = await spawnService(database.url, GENEROUS)
  process.env['SERVICE_URL'] = service.url
  process.env['SERVICE_DATABASE_URL'] = database.url
  return async () => {
    await service.kill('SIGTERM')
    await globalTeardown()
  }
}
