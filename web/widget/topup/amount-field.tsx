import { useId } from 'preact/hooks'
import { FieldNote } from '../../ui/field.tsx'
import { useTopup } from './context.ts'
import * as base from '../../ui/base.module.css'
import * as field from '../../ui/field.module.css'
import * as styles from './topup.module.css'

interface AmountFieldProps {
  value: string
  hint: string
  error: string | undefined
  onInput: (text: string) => void
  onLeave: () => void
}

/** The currency is shown next to the digits, where the visitor's language puts it, and cannot be deleted. */
export function AmountField({ value, hint, error, onInput, onLeave }: AmountFieldProps) {
  const { messages, format, data } = useTopup()
  const id = useId()
  const sign = (
    <span class={styles.amountSign} aria-hidden="true">
      {format.symbol}
    </span>
  )
  return (
    <div class={field.field}>
      <label for={id}>
        {messages.amount.label} <span class={base.visuallyHidden}>({data.currency})</span>
      </label>
      <div class={error ? `${styles.amountBox} ${styles.amountWrong}` : styles.amountBox}>
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
