/** Parts that several forms of this page share. */
import { PasswordField } from '../ui/field.tsx'
import { usePage } from './page-context.ts'
import * as base from '../ui/base.module.css'

/** Several buttons show the same word: a screen reader reads the full name of each. */
export function Named({ short, full }: { short: string; full: string }) {
  return (
    <>
      <span aria-hidden="true">{short}</span>
      <span class={base.visuallyHidden}>{full}</span>
    </>
  )
}

interface CurrentPasswordFieldProps {
  label: string
  error: string | undefined
}

export function CurrentPasswordField({ label, error }: CurrentPasswordFieldProps) {
  const { words } = usePage()
  return (
    <PasswordField
      name="password"
      label={label}
      showLabel={words.fields.showPassword}
      autoComplete="current-password"
      error={error}
    />
  )
}
