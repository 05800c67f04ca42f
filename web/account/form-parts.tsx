/** What the forms of this page share. */
import { useState } from 'preact/hooks'
import { countCharacters, PasswordField } from '../ui/field.tsx'
import { usePage } from './page-context.ts'

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

export function isCode(text: string | undefined): boolean {
  return /^\d{6}$/.test(text ?? '')
}
