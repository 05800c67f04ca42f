import { useEffect, useRef } from 'preact/hooks'

interface DoneProps {
  text: string
  /** What had the focus is gone, so the text takes it. */
  takesFocus?: boolean
}

/** Said once, when it has happened. */
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
