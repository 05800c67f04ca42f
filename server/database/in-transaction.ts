import type pg from 'pg'

/** A step that somebody else wants to take in the same transaction. */
export type Step = (tx: pg.ClientBase) => Promise<void>

/** Runs steps that belong together. Never hold it open across a call to anybody else. */
export async function inTransaction<Result>(
  pool: pg.Pool,
  steps: (tx: pg.ClientBase) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await steps(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    // The connection's state is not known, so it is not used again.
    client.release(true)
    throw error
  }
}
