import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import type { ListedPerson } from '../calls.ts'
import * as styles from './person-link.module.css'

export interface NamedPerson {
  id: string
  /** null: the person was erased. */
  name: string | null
}

export function nameOfPerson({ id, name }: NamedPerson): string {
  return name ?? nameErased(id)
}

export function PersonLink({ person }: { person: NamedPerson }) {
  return (
    <Link class={styles.personLink} to={paths.person(person.id)}>
      {nameOfPerson(person)}
    </Link>
  )
}

export function nameOf(person: Pick<ListedPerson, 'id' | 'firstName' | 'lastName'>): string {
  const { id, firstName, lastName } = person
  return firstName === null ? nameErased(id) : `${firstName} ${lastName ?? ''}`.trim()
}

function nameErased(id: string): string {
  return `Erased person ${id}`
}
