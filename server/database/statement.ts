/** A SQL statement together with the function that reads its rows. */
import type pg from 'pg'

export interface Statement<Out> {
  /** A statement with a name is prepared: parsed and planned once per connection. */
  name?: string
  text: string
  values?: unknown[]
  /** Converts a row, in snake_case, to the caller's type. */
  read: (row: never) => Out
}

/** A pool, or the connection of a transaction. */
export type Database = pg.Pool | pg.ClientBase

/** The first row, if there is one. */
export async function one<Out>(db: Database, statement: Statement<Out>): Promise<Out | undefined> {
  const { rows } = await db.query(statement)
  return rows.length === 0 ? undefined : statement.read(rows[0] as never)
}

/** Every row. */
export async function many<Out>(db: Database, statement: Statement<Out>): Promise<Out[]> {
  const { rows } = await db.query(statement)
  return rows.map((row) => statement.read(row as never))
}

/** Runs a statement without reading its rows. Returns how many rows it changed or found. */
export async function run(db: Database, statement: pg.QueryConfig): Promise<number> {
  const { rowCount } = await db.query(statement)
  return rowCount ?? 0
}
