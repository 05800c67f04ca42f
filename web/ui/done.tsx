import { useEffect, useRef } from 'preact/hooks'

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
    <p class="done" role="status" ref={ref} tabIndex={-1}>
      {text}
    </p>
  )
}
