import type pg from 'pg'

/** A step that a caller adds to a transaction. */
export type Step = (tx: pg.ClientBase) => Promise<void>

/** Runs steps in one transaction. Never make a network call inside it. */
export function inTransaction<Result>(
  pool: pg.Pool,
  steps: (tx: pg.ClientBase) => Promise<Result>,
): Promise<Result> {
  return between('begin', pool, steps)
}

/** Reads rows from one snapshot. */
export function inSnapshot<Result>(
  pool: pg.Pool,
  read: (tx: pg.ClientBase) => Promise<Result>,
): Promise<Result> {
  return between('begin isolation level repeatable read read only', pool, read)
}

async function between<Result>(
  begin: string,
  pool: pg.Pool,
  steps: (tx: pg.ClientBase) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query(begin)
    const result = await steps(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    // The state of the connection is unknown, so it is not used again.
    client.release(true)
    throw error
  }
}
