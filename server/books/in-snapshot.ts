import type pg from 'pg'
import { BEGIN_SNAPSHOT } from './figure-queries.ts'

/** Reads what belongs to one moment. */
export async function inSnapshot<Result>(
  pool: pg.Pool,
  read: (tx: pg.ClientBase) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query(BEGIN_SNAPSHOT)
    const result = await read(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    client.release(true)
    throw error
  }
}
