import { useState } from 'preact/hooks'
import { countCharacters, PasswordField } from '../field.tsx'
import type { SharedMessages } from '../messages-en.ts'

interface NewPasswordFieldProps {
  words: SharedMessages
  passwordMin: number
  name?: string
  label: string
  error: string | undefined
}

/** Shows how many characters are missing, counted as the server counts them. */
export function NewPasswordField(props: NewPasswordFieldProps) {
  const { words, passwordMin, name = 'password' } = props
  const [length, setLength] = useState(0)
  const left = passwordMin - length
  const progress = left > 0 ? words.passwordMissing(left) : words.passwordLongEnough
  return (
    <PasswordField
      name={name}
      label={props.label}
      showLabel={words.fields.showPassword}
      autoComplete="new-password"
      hint={length === 0 ? words.passwordHint(passwordMin) : progress}
      isHintGood={left <= 0}
      error={props.error}
      onInput={(input) => setLength(countCharacters(input.value))}
    />
  )
}

export function checkNewPassword(
  password: string | undefined,
  min: number,
  words: Pick<SharedMessages, 'passwordTooShort'>,
): string {
  return countCharacters(password ?? '') < min ? words.passwordTooShort(min) : ''
}
