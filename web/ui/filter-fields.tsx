/** Fields of the filters above a list. */
import { useId } from 'preact/hooks'
import { SearchIcon } from './icons.tsx'
import * as base from './base.module.css'
import * as field from './field.module.css'
import * as styles from './filter-fields.module.css'

interface SearchFieldProps {
  label: string
  isLabelHidden?: boolean
  /** Sizes the field in its row. */
  class: string
  hint: string
  value: string | undefined
}

export function SearchField({
  label,
  isLabelHidden = false,
  hint,
  value,
  class: className,
}: SearchFieldProps) {
  const id = useId()
  return (
    <div class={`${field.field} ${styles.search} ${className}`}>
      <label class={isLabelHidden ? base.visuallyHidden : undefined} for={id}>
        {label}
      </label>
      <div class={field.box}>
        <SearchIcon />
        <input
          id={id}
          name="search"
          type="search"
          maxLength={100}
          defaultValue={value ?? ''}
          placeholder={hint}
          autoComplete="off"
          enterKeyHint="search"
        />
      </div>
    </div>
  )
}

interface DateFieldProps {
  name: 'from' | 'to'
  label: string
  value: string | undefined
  /** Whether a time belongs to the day. */
  hasTime?: boolean
}

export function DateField({ name, label, value, hasTime = false }: DateFieldProps) {
  const id = useId()
  return (
    <div class={field.field}>
      <label for={id}>{label}</label>
      <div class={field.box}>
        <input
          id={id}
          name={name}
          type={hasTime ? 'datetime-local' : 'date'}
          defaultValue={value ?? ''}
        />
      </div>
    </div>
  )
}
