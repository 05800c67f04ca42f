import type { ComponentChildren } from 'preact'
import { AlertIcon, InfoIcon } from './icons.tsx'
import './notice.css'

interface NoticeProps {
  kind: 'info' | 'warning' | 'danger'
  id?: string
  children: ComponentChildren
}

/** Read out when it appears: at once if something failed, otherwise when the reader pauses. */
export function Notice({ kind, id, children }: NoticeProps) {
  return (
    <div
      class={`notice notice-${kind} appear`}
      id={id}
      role={kind === 'danger' ? 'alert' : 'status'}
    >
      {kind === 'info' ? <InfoIcon /> : <AlertIcon />}
      <div class="notice-body">{children}</div>
    </div>
  )
}

/** What is wrong with a whole form; nothing if nothing is. */
export function FormFault({ text, id }: { text: string | undefined; id?: string }) {
  if (!text) return null
  return (
    <Notice kind="danger" {...(id !== undefined && { id })}>
      {text}
    </Notice>
  )
}
