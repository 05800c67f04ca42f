/** Parts that several forms of the admin area share. */
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { TextButton } from '../../ui/button.tsx'
import { CodeField, Field, FieldNote } from '../../ui/field.tsx'
import { errorMessages } from '../explain-refusal.ts'
import * as base from '../../ui/base.module.css'
import * as field from '../../ui/field.module.css'
import * as forms from './forms.module.css'

/** A code of the authenticator, or a recovery code if the authenticator is lost. */
export function SecondFactorField({ error }: { error: string | undefined }) {
  const [isRecovery, setIsRecovery] = useState(false)
  const shared = { name: 'code', error, autoComplete: 'one-time-code' }
  return (
    <div class={forms.secondFactor}>
      {isRecovery ? (
        <Field {...shared} key="recovery" autoComplete="off" label="Recovery code" />
      ) : (
        <CodeField
          {...shared}
          key="code"
          label="Code"
          hint="6 digits from your authenticator app."
        />
      )}
      <TextButton onClick={() => setIsRecovery(!isRecovery)}>
        {isRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
      </TextButton>
    </div>
  )
}

export function checkCode(text: string | undefined): string {
  return (text ?? '').trim().length >= 6 ? '' : errorMessages.fieldErrors.code
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
    <div class={field.field}>
      <label for={id}>{label}</label>
      <div class={field.box}>
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

interface ReasonFieldProps {
  value: string
  error: string | undefined
  hint?: string
  isReadOnly?: boolean
  onChange: (reason: string) => void
}

/** The reason for an action, for the audit log. */
export function ReasonField(props: ReasonFieldProps) {
  const {
    value,
    error,
    hint = 'Recorded in the audit log. The person does not see it.',
    isReadOnly = false,
    onChange,
  } = props
  const id = useId()
  return (
    <div class={field.field}>
      <label for={id}>Reason</label>
      <div class={field.box}>
        <textarea
          id={id}
          name="reason"
          rows={2}
          maxLength={REASON_MAX}
          value={value}
          readOnly={isReadOnly}
          required
          aria-invalid={Boolean(error)}
          aria-describedby={error ? `${id}-error` : `${id}-hint`}
          // A line break is a control character, and the service rejects those.
          onInput={(event) => onChange(event.currentTarget.value.replace(/\s/g, ' '))}
        />
      </div>
      <FieldNote id={id} error={error} hint={hint} />
    </div>
  )
}

/** The same limit as in the contract. */
export const REASON_MAX = 500

export function checkReason(reason: string): string {
  return reason.trim().length < 3 ? 'Enter a reason of at least 3 characters.' : ''
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

/** A radio button or checkbox with an explanation. */
export function Choice({ type, name, value, label, text, isChecked, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <div class={forms.choice}>
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
        <p class={base.muted} id={`${id}-text`}>
          {text}
        </p>
      </div>
    </div>
  )
}
