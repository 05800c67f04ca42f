import type pg from 'pg'
import { READ_TIES, type OperatorTiesRow } from './grants/queries.ts'
import { Operators } from './relate-operators.ts'

export async function readOperators(db: pg.Pool | pg.ClientBase): Promise<Operators> {
  const { rows } = await db.query<OperatorTiesRow>(READ_TIES)
  return new Operators(
    rows.map((row) => ({
      id: row.id,
      email: row.email,
      mayGive: row.is_active && row.role !== 'viewer',
      createdBy: row.created_by,
      resetBy: row.reset_by.map(BigInt),
    })),
  )
}
