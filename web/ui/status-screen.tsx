/** A screen with one message. */
import type { ComponentChildren } from 'preact'
import * as base from './base.module.css'
import * as styles from './status-screen.module.css'

interface StatusScreenProps {
  icon: ComponentChildren
  title: string
  text: string
  isGood?: boolean
  children?: ComponentChildren
}

export function StatusScreen({ icon, title, text, isGood, children }: StatusScreenProps) {
  return (
    <div class={`${styles.screen} ${base.appear} ${isGood ? styles.good : ''}`}>
      <span class={styles.icon}>{icon}</span>
      <div role={isGood ? 'status' : 'alert'}>
        <h1 tabIndex={-1}>{title}</h1>
        <p class={base.muted}>{text}</p>
      </div>
      {children}
    </div>
  )
}
