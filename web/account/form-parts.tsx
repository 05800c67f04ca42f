/** Parts that several forms of this page share. */
import { useId } from 'preact/hooks'
import { PasswordField, FieldNote } from '../ui/field.tsx'
import { usePage } from './page-context.ts'
import * as base from '../ui/base.module.css'
import * as field from '../ui/field.module.css'

/** Several buttons show the same short label; screen readers read the full one. */
export function ButtonLabel({ short, full }: { short: string; full: string }) {
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
  const { messages } = usePage()
  return (
    <PasswordField
      name="password"
      label={label}
      showLabel={messages.fields.showPassword}
      autoComplete="current-password"
      error={error}
    />
  )
}

interface SelectFieldProps {
  label: string
  value: string
  choices: readonly (readonly [value: string, text: string])[]
  isBusy?: boolean
  onChoose: (value: string) => void
}

export function SelectField({ label, value, choices, isBusy = false, onChoose }: SelectFieldProps) {
  const id = useId()
  return (
    <div class={field.field}>
      <label for={id}>{label}</label>
      <div class={field.box}>
        <select
          id={id}
          value={value}
          aria-busy={isBusy}
          onChange={(event) => {
            const chosen = event.currentTarget.value
            // Shows what is stored, also if the request fails.
            event.currentTarget.value = value
            onChoose(chosen)
          }}
        >
          {choices.map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}

interface OptionalFieldProps {
  name: string
  label: string
  value: string
  error: string | undefined
  hint?: string
  isDay?: boolean
}

/** An amount or a day that may be empty. */
export function OptionalField({
  name,
  label,
  value,
  error,
  hint,
  isDay = false,
}: OptionalFieldProps) {
  const id = useId()
  // Preact's types accept one literal here, not a union.
  const type = (isDay ? 'date' : 'text') as 'text'
  const note = error ? `${id}-error` : hint && `${id}-hint`
  return (
    <div class={field.field}>
      <label for={id}>{label}</label>
      <div class={field.box}>
        <input
          id={id}
          name={name}
          type={type}
          inputMode={isDay ? undefined : 'decimal'}
          defaultValue={value}
          autoComplete="off"
          aria-invalid={Boolean(error)}
          aria-describedby={note || undefined}
        />
      </div>
      <FieldNote id={id} error={error} hint={error ? undefined : hint} />
    </div>
  )
}
