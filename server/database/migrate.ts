/** Brings the database to the newest schema. A second run at the same time waits for the first and finds nothing left. */
import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'

export async function migrate(databaseUrl: string, log: (line: string) => void): Promise<string[]> {
  const applied = await runner({
    databaseUrl,
    dir: fileURLToPath(new URL('migrations', import.meta.url)),
    direction: 'up',
    migrationsTable: 'migrations',
    advisoryLockMode: 'wait',
    log,
  })
  return applied.map((migration) => migration.name)
}
