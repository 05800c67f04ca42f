import type { ListedPerson } from '../calls.ts'
import { words } from '../messages.ts'

export function nameOf(person: Pick<ListedPerson, 'id' | 'firstName' | 'lastName'>): string {
  const { id, firstName, lastName } = person
  return firstName === null ? words.people.erasedName(id) : `${firstName} ${lastName ?? ''}`.trim()
}
