/** A screen with one message. */
import type { ComponentChildren } from 'preact'
import './status-screen.css'

interface StatusScreenProps {
  icon: ComponentChildren
  title: string
  text: string
  isGood?: boolean
  children?: ComponentChildren
}

export function StatusScreen({ icon, title, text, isGood, children }: StatusScreenProps) {
  return (
    <div class={`status-screen appear ${isGood ? 'status-good' : ''}`}>
      <span class="status-icon">{icon}</span>
      <div role={isGood ? 'status' : 'alert'}>
        <h1 tabIndex={-1}>{title}</h1>
        <p class="muted">{text}</p>
      </div>
      {children}
    </div>
  )
}
