/** What the forms of this page share. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { PasswordField } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { usePage } from './page-context.ts'

export function FormFault({ text, id }: { text: string | undefined; id?: string }) {
  if (!text) return null
  return (
    <Notice kind="danger" {...(id !== undefined && { id })}>
      {text}
    </Notice>
  )
}

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

/** Several buttons with the same word: those who listen hear which is which. */
export function Named({ short, full }: { short: string; full: string }) {
  return (
    <>
      <span aria-hidden="true">{short}</span>
      <span class="visually-hidden">{full}</span>
    </>
  )
}

interface PasswordProps {
  name: string
  label: string
  error: string | undefined
}

export function CurrentPasswordField({ name, label, error }: PasswordProps) {
  const { words } = usePage()
  return (
    <PasswordField
      name={name}
      label={label}
      showLabel={words.fields.showPassword}
      autoComplete="current-password"
      error={error}
    />
  )
}

/** Counts along, as the server counts: characters as people see them on the keyboard, in one form. */
export function NewPasswordField({ name, label, error }: PasswordProps) {
  const { words, data } = usePage()
  const [length, setLength] = useState(0)
  const left = data.passwordMin - length
  const progress = left > 0 ? words.passwordMissing(left) : words.passwordLongEnough
  return (
    <PasswordField
      name={name}
      label={label}
      showLabel={words.fields.showPassword}
      autoComplete="new-password"
      hint={length === 0 ? words.passwordHint(data.passwordMin) : progress}
      isHintGood={left <= 0}
      error={error}
      onInput={(input) => setLength(countCharacters(input.value))}
    />
  )
}

/** Lets a password manager know whose password it is. */
export function UserName({ email }: { email: string }) {
  return (
    <input type="email" name="username" autoComplete="username" value={email} hidden readOnly />
  )
}

export function countCharacters(text: string): number {
  return Array.from(text.normalize('NFKC')).length
}

/** Roughly what the contract asks; the server has the last word. */
export function isEmail(text: string | undefined): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text ?? '')
}

export function isCode(text: string | undefined): boolean {
  return /^\d{6}$/.test(text ?? '')
}
