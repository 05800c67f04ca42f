import { useState } from 'preact/hooks'
import { countCharacters, PasswordField } from '../field.tsx'
import type { SharedMessages } from '../messages-en.ts'

interface NewPasswordFieldProps {
  messages: SharedMessages
  passwordMin: number
  name?: string
  label: string
  error: string | undefined
}

/** Shows how many characters are missing, counted as the server counts them. */
export function NewPasswordField(props: NewPasswordFieldProps) {
  const { messages, passwordMin, name = 'password' } = props
  const [length, setLength] = useState(0)
  const left = passwordMin - length
  const progress = left > 0 ? messages.passwordMissing(left) : messages.passwordLongEnough
  return (
    <PasswordField
      name={name}
      label={props.label}
      showLabel={messages.fields.showPassword}
      autoComplete="new-password"
      hint={length === 0 ? messages.passwordHint(passwordMin) : progress}
      isHintGood={left <= 0}
      error={props.error}
      onInput={(input) => setLength(countCharacters(input.value))}
    />
  )
}

export function checkNewPassword(
  password: string | undefined,
  min: number,
  messages: Pick<SharedMessages, 'passwordTooShort'>,
): string {
  return countCharacters(password ?? '') < min ? messages.passwordTooShort(min) : ''
}
