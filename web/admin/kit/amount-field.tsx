import { useId } from 'preact/hooks'
import { FieldNote } from '../../ui/field.tsx'
import { usePage } from '../page-context.ts'
import * as field from '../../ui/field.module.css'
import * as forms from './forms.module.css'

interface AmountFieldProps {
  name: string
  label: string
  value: string
  error: string | undefined
  hint?: string | undefined
  placeholder?: string
  isDisabled?: boolean
  onChange: (amount: string) => void
}

export function AmountField({
  name,
  label,
  value,
  error,
  hint,
  placeholder = '1000.00',
  isDisabled = false,
  onChange,
}: AmountFieldProps) {
  const { data } = usePage()
  const id = useId()
  return (
    <div class={`${field.field} ${forms.amountField}`}>
      <label for={id}>
        {label} in {data.currency}
      </label>
      <div class={`${field.box} ${forms.amountBox}`}>
        <input
          id={id}
          name={name}
          type="text"
          inputMode="decimal"
          value={value}
          placeholder={placeholder}
          disabled={isDisabled}
          aria-invalid={Boolean(error)}
          aria-describedby={error ? `${id}-error` : hint ? `${id}-hint` : undefined}
          autoComplete="off"
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      </div>
      <FieldNote id={id} error={error} hint={hint} />
    </div>
  )
}
