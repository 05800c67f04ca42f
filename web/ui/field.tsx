import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { EyeIcon, EyeOffIcon, AlertIcon, CheckIcon } from './icons.tsx'
import * as styles from './field.module.css'

interface FieldProps {
  name: string
  label: string
  autoComplete: string
  value?: string | undefined
  type?: 'text' | 'email' | 'password'
  hint?: string | undefined
  isHintGood?: boolean
  error?: string | undefined
  /** The id of a text elsewhere that explains what is wrong with this field. */
  errorId?: string | undefined
  onInput?: (input: HTMLInputElement) => void
}

interface InputProps extends FieldProps {
  isCode?: boolean
  inputMode?: 'numeric' | 'email'
  children?: ComponentChildren
}

interface FieldNoteProps {
  id: string
  error: string | undefined
  hint: string | undefined
  isHintGood?: boolean
}

/** The error of a field, or else its hint; screen readers read it with the field. */
export function FieldNote({ id, error, hint, isHintGood = false }: FieldNoteProps) {
  if (error) {
    return (
      <p class={styles.error} id={`${id}-error`}>
        <AlertIcon />
        <span>{error}</span>
      </p>
    )
  }
  if (!hint) return null
  return (
    <p class={isHintGood ? `${styles.hint} ${styles.good}` : styles.hint} id={`${id}-hint`}>
      {isHintGood && <CheckIcon />}
      <span>{hint}</span>
    </p>
  )
}

/** The browser keeps the value, so that password managers, pasting and undo work as everywhere. */
function Input(props: InputProps) {
  const { error, errorId, isHintGood = false, isCode = false } = props
  const hint = error ? '' : props.hint
  const id = useId()
  // Preact's types accept one literal here, not a union.
  const type = (props.type ?? 'text') as 'text'
  const describedBy = [error && `${id}-error`, errorId, hint && `${id}-hint`].filter(Boolean)
  return (
    <div class={isCode ? `${styles.field} ${styles.code}` : styles.field}>
      <label for={id}>{props.label}</label>
      <div class={styles.box}>
        <input
          id={id}
          name={props.name}
          type={type}
          defaultValue={props.value ?? ''}
          autoComplete={props.autoComplete}
          inputMode={props.inputMode}
          autoCapitalize={props.type ? 'none' : undefined}
          spellcheck={false}
          required
          aria-invalid={Boolean(error ?? errorId)}
          aria-describedby={describedBy.join(' ') || undefined}
          onInput={(event) => props.onInput?.(event.currentTarget)}
        />
        {props.children}
      </div>
      <FieldNote id={id} error={error} hint={hint} isHintGood={isHintGood} />
    </div>
  )
}

export function Field(props: FieldProps) {
  return <Input {...props} {...(props.type === 'email' && { inputMode: 'email' as const })} />
}

export function PasswordField(props: FieldProps & { showLabel: string }) {
  const [isShown, setIsShown] = useState(false)
  return (
    <Input {...props} type={isShown ? 'text' : 'password'}>
      <button
        type="button"
        aria-label={props.showLabel}
        aria-pressed={isShown}
        onClick={() => setIsShown(!isShown)}
      >
        {isShown ? <EyeOffIcon /> : <EyeIcon />}
      </button>
    </Input>
  )
}

/** One field, not six, so that pasting, autofill and screen readers work. Anything but digits is removed. */
export function CodeField(props: FieldProps) {
  function keepDigits(input: HTMLInputElement) {
    const digits = input.value.replace(/\D/g, '').slice(0, 6)
    if (digits !== input.value) input.value = digits
  }
  return <Input {...props} isCode inputMode="numeric" onInput={keepDigits} />
}

/** Counts as the server does: code points after NFKC normalization. */
export function countCharacters(text: string): number {
  return Array.from(text.normalize('NFKC')).length
}

/** Shows a password manager which account the password belongs to. */
export function UserName({ email }: { email: string }) {
  return (
    <input type="email" name="username" autoComplete="username" value={email} hidden readOnly />
  )
}
