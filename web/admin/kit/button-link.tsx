import type { ComponentChildren } from 'preact'
import { Link } from '../route.tsx'
import * as button from '../../ui/button.module.css'

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
