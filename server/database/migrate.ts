/** Migrates the database to the newest schema. A concurrent second run waits for the first and then does nothing. */
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
