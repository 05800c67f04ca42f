import { useEffect, useRef } from 'preact/hooks'
import * as styles from './done.module.css'

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
