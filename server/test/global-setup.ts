/** Runs once before all test files: a PostgreSQL of our own, unless TEST_DATABASE_URL names one, and the template. */
import pg from 'pg'
import {
  startThrowAwayPostgres,
  type ThrowAwayPostgres,
} from '../../scripts/throw-away-postgres.ts'
import { migrate } from '../database/migrate.ts'
import { databaseUrlFor, TEMPLATE } from './database.ts'

let postgres: ThrowAwayPostgres | undefined

export async function globalSetup() {
  if (process.env['TEST_DATABASE_URL'] === undefined) {
    postgres = await startThrowAwayPostgres({
      settings: { max_connections: '300', fsync: 'off', full_page_writes: 'off' },
    })
    process.env['TEST_DATABASE_URL'] = postgres.url
  }
  const admin = new pg.Client(databaseUrlFor('postgres'))
  await admin.connect()
  await admin.query(`drop database if exists ${TEMPLATE}`)
  // Whatever the server's own locale is: lower() must work on all letters, as it does in production.
  await admin.query(
    `create database ${TEMPLATE} template template0 encoding 'UTF8' locale_provider libc locale 'C.UTF-8'`,
  )
  await admin.end()
  await migrate(databaseUrlFor(TEMPLATE), () => undefined)
}

export async function globalTeardown() {
  await postgres?.stop()
}
