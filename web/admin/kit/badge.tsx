import type { ComponentChildren } from 'preact'
import { words } from '../messages.ts'

interface BadgeProps {
  kind?: 'good' | 'warning' | 'danger'
  children: ComponentChildren
}

export function Badge({ kind, children }: BadgeProps) {
  return <span class={kind ? `badge badge-${kind}` : 'badge'}>{children}</span>
}

export function StateBadge({ isActive }: { isActive: boolean }) {
  return (
    <span class={isActive ? 'state state-on' : 'state'}>
      {isActive ? words.states.active : words.states.inactive}
    </span>
  )
}
