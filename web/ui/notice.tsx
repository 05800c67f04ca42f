import type { ComponentChildren } from 'preact'
import { AlertIcon, InfoIcon } from './icons.tsx'
import './notice.css'

interface NoticeProps {
  kind: 'info' | 'warning' | 'danger'
  id?: string | undefined
  children: ComponentChildren
}

/** Screen readers announce it when it appears: an error immediately, anything else at the next pause. */
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

/** The error of a whole form, if there is one. */
export function FormFault({ text, id }: { text: string | undefined; id?: string | undefined }) {
  if (!text) return null
  return (
    <Notice kind="danger" id={id}>
      {text}
    </Notice>
  )
}
