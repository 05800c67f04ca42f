/** Links to pages of the admin area, and the names of people in them. */
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import type { ComponentChildren } from 'preact'
import type { ListedPerson } from '../calls.ts'
import * as table from './table.module.css'
import * as button from '../../ui/button.module.css'
import * as styles from './links.module.css'

interface AppLinkProps {
  app: { clientId: string; name: string }
  /** The tab of the app's page that opens. */
  tab?: string
}

/** The name of a client app in a table, which leads to its page. */
export function AppLink({ app: { clientId, name }, tab }: AppLinkProps) {
  const path = paths.app(clientId)
  return (
    <Link to={tab === undefined ? path : `${path}?tab=${tab}`}>
      <span class={table.clamp} dir="auto" title={name}>
        {name}
      </span>
    </Link>
  )
}

interface ButtonLinkProps {
  to: string
  kind: 'primary' | 'secondary'
  children: ComponentChildren
}

/** A link that looks like a button. */
export function ButtonLink({ to, kind, children }: ButtonLinkProps) {
  const color = kind === 'primary' ? button.primary : button.secondary
  return (
    <Link class={`${button.button} ${color}`} to={to}>
      {children}
    </Link>
  )
}

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
