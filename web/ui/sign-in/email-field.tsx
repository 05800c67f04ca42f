import { Field } from '../field.tsx'

export interface EmailProps {
  messages: { fields: { email: string } }
  email: string
  setEmail: (email: string) => void
}

interface EmailFieldProps extends EmailProps {
  error: string | undefined
  autoComplete?: string
}

/** The email is kept when the visitor moves on to another form. */
export function EmailField(props: EmailFieldProps) {
  return (
    <Field
      name="email"
      type="email"
      label={props.messages.fields.email}
      autoComplete={props.autoComplete ?? 'username'}
      value={props.email}
      error={props.error}
      onInput={(input) => props.setEmail(input.value)}
    />
  )
}
