import { globSync } from 'node:fs'
import { parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

const FOLDER = fileURLToPath(new URL('migrations/', import.meta.url))
/** The table of migrations does not exist, or the service may not read it yet. */
const NOT_THERE = ['42P01', '42501']

/** The migrations of this version that the database lacks, in order. The database may have newer ones. */
export async function findMissingMigrations(db: pg.Pool): Promise<string[]> {
  const known = globSync('*.{sql,js}', { cwd: FOLDER }).map((file) => parse(file).name)
  const applied = new Set(await listApplied(db))
  return known.filter((name) => !applied.has(name)).toSorted()
}

async function listApplied(db: pg.Pool): Promise<string[]> {
  try {
    const { rows } = await db.query<{ name: string }>('select name from public.migrations')
    return rows.map(({ name }) => name)
  } catch (error) {
    if (error instanceof pg.DatabaseError && NOT_THERE.includes(error.code ?? '')) return []
    throw error
  }
}
