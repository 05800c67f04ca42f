import type { Database } from '../database/statement.ts'
import type { AdminCall } from './access.ts'

/** A person as a page of another area shows them. An erased person has no name. */
interface Shown {
  id: string
  name: string | null
}

/** Records that the operator sees names of people. Call it before they are returned. */
export async function recordPeople(
  { record }: Pick<AdminCall, 'record'>,
  db: Database,
  shown: readonly (Shown | null)[],
): Promise<void> {
  const ids = [...new Set(shown.flatMap((each) => (each?.name ? [each.id] : [])))]
  const [first] = ids
  if (first === undefined) return
  const person = ids.length === 1 ? { person: personSubject(BigInt(first)) } : {}
  await record(db, { action: 'person.list', after: { people: ids.length, ...person } })
}

/** The name of a person in the audit log. It contains nothing personal, so it can stay after the person is erased. */
export function personSubject(id: bigint): string {
  return `person/${id}`
}
