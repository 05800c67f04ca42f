/** A screen that says one thing. */
import type { ComponentChildren } from 'preact'

interface StatementProps {
  icon: ComponentChildren
  title: string
  text: string
  kind?: 'good'
  children?: ComponentChildren
}

export function Statement({ icon, title, text, kind, children }: StatementProps) {
  return (
    <div class="statement appear">
      <span class={`statement-icon ${kind ? `statement-${kind}` : ''}`}>{icon}</span>
      <div role={kind === 'good' ? 'status' : 'alert'}>
        <h1 tabIndex={-1}>{title}</h1>
        <p class="muted">{text}</p>
      </div>
      {children}
    </div>
  )
}
