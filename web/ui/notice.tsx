import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
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

interface DoneProps {
  text: string
  /** The text takes the focus if the focused element was removed. */
  takesFocus?: boolean
}

/** Announced once, after success. */
export function Done({ text, takesFocus = false }: DoneProps) {
  const ref = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (takesFocus) ref.current?.focus()
  }, [text])
  return (
    <p class={styles.done} role="status" ref={ref} tabIndex={-1}>
      {text}
    </p>
  )
}

export function TestMode({ text }: { text: string }) {
  return <aside class={styles.testMode}>{text}</aside>
}
