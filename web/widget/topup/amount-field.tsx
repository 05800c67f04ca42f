import { useId } from 'preact/hooks'
import { FieldNote } from '../../ui/field.tsx'
import { useTopup } from './context.ts'

interface AmountFieldProps {
  value: string
  hint: string
  error: string | undefined
  onInput: (text: string) => void
  onLeave: () => void
}

/** The currency is shown next to the digits, where the visitor's language puts it, and cannot be deleted. */
export function AmountField({ value, hint, error, onInput, onLeave }: AmountFieldProps) {
  const { texts, format, data } = useTopup()
  const id = useId()
  const sign = (
    <span class="amount-sign" aria-hidden="true">
      {format.symbol}
    </span>
  )
  return (
    <div class="field">
      <label for={id}>
        {texts.amount.label} <span class="visually-hidden">({data.currency})</span>
      </label>
      <div class={`amount-box ${error ? 'amount-wrong' : ''}`}>
        {format.isSymbolFirst && sign}
        <input
          id={id}
          name="amount"
          type="text"
          inputMode={data.exponent === 0 ? 'numeric' : 'decimal'}
          autoComplete="off"
          spellcheck={false}
          required
          value={value}
          aria-invalid={Boolean(error)}
          aria-describedby={error ? `${id}-error` : `${id}-hint`}
          onInput={(event) => onInput(event.currentTarget.value)}
          onBlur={onLeave}
        />
        {!format.isSymbolFirst && sign}
      </div>
      <FieldNote id={id} error={error} hint={hint} />
    </div>
  )
}
