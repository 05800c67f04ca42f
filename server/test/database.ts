/** A database per test file, cloned from a migrated template. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'

export const TEMPLATE = 'coffer_template'

export function databaseUrlFor(name: string): string {
  const base = process.env['TEST_DATABASE_URL']
  if (base === undefined) throw new Error('Run the tests with npm test: it prepares the database.')
  const url = new URL(base)
  url.pathname = `/${name}`
  return url.href
}

export async function cloneDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `coffer_test_${randomBytes(6).toString('hex')}`
  await asAdmin(`create database ${name} template ${TEMPLATE}`)
  return {
    url: databaseUrlFor(name),
    drop: () => asAdmin(`drop database if exists ${name} with (force)`),
  }
}

async function asAdmin(statement: string) {
  const admin = new pg.Client(databaseUrlFor('postgres'))
  await admin.connect()
  try {
    await admin.query(statement)
  } finally {
    await admin.end()
  }
}
