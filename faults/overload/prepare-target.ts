/** One service process on a database that is slow on purpose, client apps, and people with more than enough money. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { findFreePorts } from '../../scripts/find-free-ports.ts'
import { readConfig } from '../../server/config.ts'
import { createPool } from '../../server/database/connect.ts'
import { migrate } from '../../server/database/migrate.ts'
import { Ledger } from '../../server/ledger/ledger.ts'
import { makeClientApp, makeLinkedUser } from '../../server/test/factories.ts'
import { withCleanUp, type CleanUp } from '../setup/clean-up.ts'
import { SupervisedService } from '../setup/supervise-service.ts'
import { startDatabase, type Database } from '../setup/start-database.ts'
import { withAdmin } from '../setup/with-admin.ts'

export interface Target {
  database: Database
  service: SupervisedService
  apps: readonly { clientId: string; authorization: string; serviceUserIds: string[] }[]
  /** Operations that existed before. */
  openings: number
  /** Number of tags used so far; every load has its own tag in its references. */
  tags: number
  /** References that got 200, and those with an unknown outcome. */
  acknowledged: Set<string>
  unknown: Set<string>
}

const APPS = 4
const USERS_PER_APP = 100
const BALANCE_MINOR = 10_000_000n

/**
 * Every operation takes some time in the database but no CPU time. So the capacity is that of the database, about 500
 * per second for one process with one lane, and the CPU is left to the load generators.
 */
const THROTTLE = `
  create function ledger.faults_throttle() returns trigger language plpgsql as
    $$ begin perform pg_sleep(0.0017); return new; end $$;
  create trigger faults_throttle before insert on ledger.operations
    for each row execute function ledger.faults_throttle()`

export function withTarget<Result>(play: (target: Target) => Promise<Result>): Promise<Result> {
  return withCleanUp('coffer-overload-', async (folder, cleanUp) =>
    play(await prepare(folder, cleanUp)),
  )
}

async function prepare(folder: string, cleanUp: CleanUp): Promise<Target> {
  const database = await startDatabase(() => undefined)
  cleanUp.push(() => database.stop())
  await migrate(database.url, () => undefined)
  const pepper = randomBytes(32).toString('base64')
  const env = { DATABASE_URL: database.url, SECRET_PEPPERS: `overload:${pepper}` }
  const apps = await createShops(env)
  await withAdmin(database.url, (admin) => admin.query(THROTTLE))
  const [port = 0] = await findFreePorts(1)
  const service = new SupervisedService({
    port,
    logFile: join(folder, 'service.log'),
    // The addresses of password guessers are invented; everything else has the default configuration.
    env: { ...env, TRUST_PROXY: 'true' },
  })
  cleanUp.push(() => service.stop())
  await service.ready(60_000)
  const openings = APPS * USERS_PER_APP
  const books = { acknowledged: new Set<string>(), unknown: new Set<string>() }
  return { database, service, apps, openings, tags: 0, ...books }
}

async function createShops(env: Record<string, string>): Promise<Target['apps']> {
  const config = readConfig(env)
  const db = createPool(config.databaseUrl, { size: 4, barrier: false })
  const ledger = new Ledger({ databaseUrl: config.databaseUrl })
  const tools = { db, ledger, config }
  try {
    return await Promise.all(
      Array.from({ length: APPS }, async (_, index) => {
        const app = await makeClientApp(tools, { name: `Shop ${index}` })
        const users = await Promise.all(
          Array.from({ length: USERS_PER_APP }, () => makeLinkedUser(tools, app, BALANCE_MINOR)),
        )
        const basic = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')
        const serviceUserIds = users.map(({ serviceUserId }) => serviceUserId)
        return { clientId: app.clientId, authorization: `Basic ${basic}`, serviceUserIds }
      }),
    )
  } finally {
    await ledger.close()
    await db.end()
  }
}
