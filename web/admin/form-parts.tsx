/** What the forms of this area share. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { TextButton } from '../ui/button.tsx'
import { CodeField, Field, FieldNote } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { words } from './messages.ts'

export function FormFault({ text, id }: { text: string | undefined; id?: string }) {
  if (!text) return null
  return (
    <Notice kind="danger" {...(id !== undefined && { id })}>
      {text}
    </Notice>
  )
}

interface DoneProps {
  text: string
  /** What had the focus is gone, so the text takes it. */
  takesFocus?: boolean
}

/** Said once, when it has happened. */
export function Done({ text, takesFocus = false }: DoneProps) {
  const ref = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (takesFocus) ref.current?.focus()
  }, [text])
  return (
    <p class="done" role="status" ref={ref} tabIndex={-1}>
      {text}
    </p>
  )
}

/** A code of the authenticator, or one of the recovery codes for those who lost it. */
export function SecondFactorField({ error }: { error: string | undefined }) {
  const [isRecovery, setIsRecovery] = useState(false)
  const shared = { name: 'code', error, autoComplete: 'one-time-code' }
  return (
    <div class="second-factor">
      {isRecovery ? (
        <Field {...shared} key="recovery" autoComplete="off" label={words.fields.recoveryCode} />
      ) : (
        <CodeField {...shared} key="code" label={words.fields.code} hint={words.codeHint} />
      )}
      <TextButton onClick={() => setIsRecovery(!isRecovery)}>
        {isRecovery ? words.useAuthenticator : words.useRecoveryCode}
      </TextButton>
    </div>
  )
}

export function faultOfCode(text: string | undefined): string {
  return (text ?? '').trim().length >= 6 ? '' : words.faults.code
}

/** Roughly what the contract asks; the server has the last word. */
export function isEmail(text: string | undefined): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text ?? '')
}

interface SelectProps {
  name: string
  label: string
  value: string
  options: readonly (readonly [value: string, text: string])[]
  hint?: string | undefined
  onChange?: (value: string) => void
}

export function SelectField({ name, label, value, options, hint, onChange }: SelectProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="field-box">
        <select
          id={id}
          name={name}
          aria-describedby={hint ? `${id}-hint` : undefined}
          onChange={(event) => onChange?.(event.currentTarget.value)}
        >
          {options.map(([key, text]) => (
            <option key={key} value={key} selected={key === value}>
              {text}
            </option>
          ))}
        </select>
      </div>
      <FieldNote id={id} error={undefined} hint={hint} />
    </div>
  )
}

interface ChoiceProps {
  type: 'radio' | 'checkbox'
  name: string
  value: string
  label: ComponentChildren
  text: string
  isChecked: boolean
  onChange: (isChecked: boolean) => void
}

/** A choice and what it means. */
export function Choice({ type, name, value, label, text, isChecked, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <div class="choice">
      <input
        id={id}
        type={type}
        name={name}
        value={value}
        checked={isChecked}
        aria-describedby={`${id}-text`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <div>
        <label for={id}>{label}</label>
        <p class="muted" id={`${id}-text`}>
          {text}
        </p>
      </div>
    </div>
  )
}
