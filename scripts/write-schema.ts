/**
 * Writes server/database/schema.sql, the whole schema in one place for people to read, from the migrations; with
 * --check it only says whether the committed one is stale. Partitions of months and weeks are left out: they depend on the day.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from '../server/database/migrate.ts'
import { startThrowAwayPostgres } from './throw-away-postgres.ts'

const file = new URL('../server/database/schema.sql', import.meta.url)
const postgres = await startThrowAwayPostgres({ settings: { fsync: 'off' } })
await migrate(postgres.url, () => undefined)
const dump = execFileSync(
  join(postgres.binFolder, 'pg_dump'),
  [
    '--schema-only',
    '--no-owner',
    '--exclude-table=ledger.operations_2*',
    '--exclude-table=events.events_2*',
    '--exclude-table=public.migrations*',
    postgres.url,
  ],
  { encoding: 'utf8' },
)
await postgres.stop()
const text = `${dump
  .split('\n')
  // Comments name the version of pg_dump, SET lines and \restrict differ between versions.
  .filter((line) => !/^(--|SET |SELECT pg_catalog|\\)/.test(line))
  .join('\n')
  .replace(/\n{3,}/g, '\n\n')
  .trim()}\n`

if (!process.argv.includes('--check')) {
  writeFileSync(file, text)
} else if (readFileSync(file, 'utf8') !== text) {
  console.error('server/database/schema.sql is stale. Run: npm run schema')
  process.exitCode = 1
}
