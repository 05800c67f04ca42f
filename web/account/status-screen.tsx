/** A screen that says one thing. */
import type { ComponentChildren } from 'preact'

interface StatementProps {
  icon: ComponentChildren
  title: string
  text: string
  children?: ComponentChildren
}

export function Statement({ icon, title, text, children }: StatementProps) {
  return (
    <main class="statement appear">
      <span class="statement-icon">{icon}</span>
      <div role="status">
        <h1 tabIndex={-1}>{title}</h1>
        <p class="muted">{text}</p>
      </div>
      {children}
    </main>
  )
}
