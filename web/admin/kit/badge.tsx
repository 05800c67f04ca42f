import type { ComponentChildren } from 'preact'
import * as styles from './badge.module.css'

const COLORS = { good: styles.good, warning: styles.warning, danger: styles.danger }

interface BadgeProps {
  kind?: 'good' | 'warning' | 'danger'
  children: ComponentChildren
}

export function Badge({ kind, children }: BadgeProps) {
  return <span class={kind ? `${styles.badge} ${COLORS[kind]}` : styles.badge}>{children}</span>
}

export function StateBadge({ isActive }: { isActive: boolean }) {
  return (
    <span class={isActive ? `${styles.state} ${styles.stateOn}` : styles.state}>
      {isActive ? 'Active' : 'Inactive'}
    </span>
  )
}
