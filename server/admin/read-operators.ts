import { many, type Database } from '../database/statement.ts'
import { Operators } from './relate-operators.ts'
import { LIST_TIES } from './second-operator-queries.ts'

export async function readOperators(db: Database): Promise<Operators> {
  return new Operators(await many(db, LIST_TIES))
}
