import { useId } from 'preact/hooks'
import { FieldNote } from '../ui/field.tsx'
import * as field from '../ui/field.module.css'

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
