import type { ComponentChildren } from 'preact'
import { AlertIcon, InfoIcon } from './icons.tsx'
import * as base from './base.module.css'
import * as styles from './notice.module.css'

interface NoticeProps {
  kind: 'info' | 'warning' | 'danger'
  id?: string | undefined
  children: ComponentChildren
}

const COLORS = { info: '', warning: styles.warning, danger: styles.danger }

/** Screen readers announce it when it appears: an error immediately, anything else at the next pause. */
export function Notice({ kind, id, children }: NoticeProps) {
  return (
    <div
      class={`${styles.notice} ${base.appear} ${COLORS[kind]}`}
      id={id}
      role={kind === 'danger' ? 'alert' : 'status'}
    >
      {kind === 'info' ? <InfoIcon /> : <AlertIcon />}
      <div class={styles.body}>{children}</div>
    </div>
  )
}

/** The error of a whole form, if there is one. */
export function FormError({ text, id }: { text: string | undefined; id?: string | undefined }) {
  if (!text) return null
  return (
    <Notice kind="danger" id={id}>
      {text}
    </Notice>
  )
}
