/** Deletes expired rows in small portions, so that no statement holds many locks or takes long. */
import type pg from 'pg'
import { run } from './statement.ts'

/** Rows of a table that are no longer needed. An index must find them. */
export interface Expired {
  table: string
  where: string
}

const PORTION = 1_000
/** What is left after this time is deleted an hour later. */
const RUN_MS = 10_000

/** Returns how many rows it deleted. */
export function prune(db: pg.Pool, { table, where }: Expired, portion = PORTION): Promise<number> {
  // The condition is repeated for a row that is extended at the same time.
  const text = `delete from ${table} where ctid = any(array(
    select ctid from ${table} where ${where} limit $1)) and ${where}`
  return inPortions((most) => run(db, { text, values: [most] }), portion)
}

/** Calls `remove`, which deletes at most so many rows and returns how many, until nothing is left. */
export async function inPortions(
  remove: (most: number) => Promise<number>,
  portion = PORTION,
): Promise<number> {
  const untilMs = performance.now() + RUN_MS
  let rows = 0
  for (;;) {
    const removed = await remove(portion)
    rows += removed
    if (removed < portion || performance.now() > untilMs) return rows
  }
}
