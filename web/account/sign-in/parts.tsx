/** What the screens of the door share. */
import type { ComponentChildren } from 'preact'
import { WalletIcon } from '../../ui/icons.tsx'

export interface DoorScreenProps {
  email: string
  setEmail: (email: string) => void
  enter: () => Promise<void>
}

interface DoorHeadProps {
  title: string
  icon?: ComponentChildren
  children: ComponentChildren
}

export function DoorHead({ title, icon = <WalletIcon />, children }: DoorHeadProps) {
  return (
    <header class="door-head">
      <span class="mark">{icon}</span>
      <h1 tabIndex={-1}>{title}</h1>
      <p class="muted">{children}</p>
    </header>
  )
}
