/** A PostgreSQL and a service process of our own for the browser tests. */
import { globalSetup, globalTeardown } from '../server/test/global-setup.ts'
import { cloneDatabase } from '../server/test/database.ts'
import { spawnService } from '../server/test/harness.ts'

export default async function start() {
  await globalSetup()
  const database = await cloneDatabase()
  const service = await spawnService(database.url)
  process.env['SERVICE_URL'] = service.url
  return async () => {
    await service.kill('SIGTERM')
    await globalTeardown()
  }
}
