/** Fields of the filters above a list. */
import { useId } from 'preact/hooks'
import { SearchIcon } from './page-icons.tsx'

interface SearchFieldProps {
  label: string
  isLabelHidden?: boolean
  hint: string
  value: string | undefined
}

export function SearchField({ label, isLabelHidden = false, hint, value }: SearchFieldProps) {
  const id = useId()
  return (
    <div class="field field-search">
      <label class={isLabelHidden ? 'visually-hidden' : undefined} for={id}>
        {label}
      </label>
      <div class="field-box">
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
}

export function DateField({ name, label, value }: DateFieldProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="field-box">
        <input id={id} name={name} type="date" defaultValue={value ?? ''} />
      </div>
    </div>
  )
}
