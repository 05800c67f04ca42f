/** A whole screen that says one thing. */
import type { ComponentChildren } from 'preact'

interface StatementProps {
  icon: ComponentChildren
  title: string
  text: string
  children?: ComponentChildren
}

export function Statement({ icon, title, text, children }: StatementProps) {
  return (
    <div class="statement appear">
      <span class="statement-icon">{icon}</span>
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        <p class="muted">{text}</p>
      </div>
      {children}
    </div>
  )
}
