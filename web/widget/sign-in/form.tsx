/** What the screens of the log-in share. */
import type { AuthStep } from '@coffer/contract/widget-api'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { countCharacters, PasswordField } from '../../ui/field.tsx'
import { WalletIcon } from '../../ui/icons.tsx'
import type { SignUpInput } from '../calls.ts'
import { usePage } from '../page-context.ts'

/** What every screen is handed by the one above. */
export interface AuthScreenProps {
  email: string
  setEmail: (email: string) => void
  follow: (step: AuthStep, input?: SignUpInput) => void
  toLogIn: (notice?: string) => void
}

interface AuthHeadProps {
  title: string
  children?: ComponentChildren
  icon?: ComponentChildren
}

export function AuthHead({ title, children, icon = <WalletIcon /> }: AuthHeadProps) {
  return (
    <header class="auth-head">
      <span class="auth-mark">{icon}</span>
      <h1 tabIndex={-1}>{title}</h1>
      {children && <p class="muted">{children}</p>}
    </header>
  )
}

interface NewPasswordProps {
  label: string
  error: string | undefined
}

/** Counts along, as the server counts: characters as people see them on the keyboard, in one form. */
export function NewPasswordField({ label, error }: NewPasswordProps) {
  const { words, data } = usePage()
  const [length, setLength] = useState(0)
  const left = data.passwordMin - length
  const progress = left > 0 ? words.passwordMissing(left) : words.passwordLongEnough
  return (
    <PasswordField
      name="password"
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
