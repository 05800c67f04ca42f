import { one, type Database } from '../../database/statement.ts'
import { ServiceError } from '../../service-error.ts'
import { findPerson, type Person } from './queries.ts'

/** Also finds an erased person, whose wallet and history remain. */
export async function requirePerson(db: Database, id: string): Promise<Person> {
  const person = await one(db, findPerson(BigInt(id)))
  if (person === undefined) throw new ServiceError('NOT_FOUND')
  return person
}
