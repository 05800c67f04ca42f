import type { ListedPerson } from '../calls.ts'

export function nameOf(person: Pick<ListedPerson, 'id' | 'firstName' | 'lastName'>): string {
  const { id, firstName, lastName } = person
  return firstName === null ? nameErased(id) : `${firstName} ${lastName ?? ''}`.trim()
}

export function nameErased(id: string): string {
  return `Erased person ${id}`
}
