/** Runs once before all test files: starts PostgreSQL, unless TEST_DATABASE_URL is set, and creates the template. */
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startTemporaryPostgres, type TemporaryPostgres } from '../../scripts/temporary-postgres.ts'
import { migrate } from '../database/migrate.ts'
import { databaseUrlFor, TEMPLATE } from './database.ts'

let postgres: TemporaryPostgres | undefined

/** Compiled sources, shared by all processes of the tests. A test file loads the whole service, which takes a second. */
const COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url))

export async function globalSetup() {
  process.env['NODE_COMPILE_CACHE'] ??= COMPILE_CACHE
  if (process.env['TEST_DATABASE_URL'] === undefined) {
    postgres = await startTemporaryPostgres({
      settings: { max_connections: '300', fsync: 'off', full_page_writes: 'off' },
    })
    process.env['TEST_DATABASE_URL'] = postgres.url
  }
  await createTemplate()
}

/** On the server of TEST_DATABASE_URL. */
export async function createTemplate() {
  const admin = new pg.Client(databaseUrlFor('postgres'))
  await admin.connect()
  await admin.query(`drop database if exists ${TEMPLATE}`)
  // Independent of the server's locale: lower() must work on all letters, as in production.
  await admin.query(
    `create database ${TEMPLATE} template template0 encoding 'UTF8' locale_provider libc locale 'C.UTF-8'`,
  )
  await admin.end()
  await migrate(databaseUrlFor(TEMPLATE), () => undefined)
}

export async function globalTeardown() {
  await postgres?.stop()
}
