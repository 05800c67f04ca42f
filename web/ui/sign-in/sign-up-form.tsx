import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { Button, TextButton } from '../button.tsx'
import { explainRefusal, type RefusalMessages } from '../explain-refusal.ts'
import { Field } from '../field.tsx'
import type { SharedMessages } from '../messages-en.ts'
import type { Result } from '../request.ts'
import { isEmail, useForm } from '../use-form.ts'
import { EmailField, type EmailProps } from './email-field.tsx'
import { checkNewPassword, NewPasswordField } from './new-password-field.tsx'
import { SignInForm } from './sign-in-form.tsx'
import * as base from '../base.module.css'
import * as styles from './sign-in.module.css'

export interface SignUpFields {
  firstName: string
  lastName: string
  email: string
  password: string
}

interface SignUpFormProps<Step> extends EmailProps {
  messages: SharedMessages &
    RefusalMessages & {
      signUp: { title: string; submit: string; other: string; logIn: string; instead: string }
    }
  passwordMin: number
  lead: string
  /** Shown above the button. */
  note?: ComponentChildren
  send: (fields: SignUpFields) => Promise<Result<Step>>
  done: (step: Step, fields: SignUpFields) => void
  toLogIn: () => void
}

const NAMES = ['firstName', 'lastName'] as const
const FIELDS = [...NAMES, 'email', 'password']

export function SignUpForm<Step>(props: SignUpFormProps<Step>) {
  const { messages, passwordMin } = props
  const sent = useRef<SignUpFields>(undefined)
  const form = useForm({
    check: ({ firstName, lastName, email, password }) => ({
      firstName: firstName?.trim() ? '' : messages.fieldErrors.firstName,
      lastName: lastName?.trim() ? '' : messages.fieldErrors.lastName,
      email: isEmail(email) ? '' : messages.fieldErrors.email,
      password: checkNewPassword(password, passwordMin, messages),
    }),
    send: ({ firstName = '', lastName = '', email = '', password = '' }) => {
      sent.current = { firstName: firstName.trim(), lastName: lastName.trim(), email, password }
      return props.send(sent.current)
    },
    explain: (result) => explainRefusal(result, messages, FIELDS),
    done: (step) => sent.current && props.done(step, sent.current),
  })
  const { errors } = form
  const end = (
    <p class={`${styles.other} ${base.muted}`}>
      {messages.signUp.other}{' '}
      <TextButton onClick={props.toLogIn}>{messages.signUp.logIn}</TextButton>
    </p>
  )
  return (
    <SignInForm {...messages.signUp} form={form} lead={props.lead} end={end}>
      <div class={styles.names}>
        {NAMES.map((name) => (
          <Field
            key={name}
            name={name}
            label={messages.fields[name]}
            autoComplete={name === 'firstName' ? 'given-name' : 'family-name'}
            error={errors[name]}
          />
        ))}
      </div>
      <EmailField {...props} autoComplete="email" error={errors['email']} />
      {errors['email'] && errors['email'] === messages.errors.EMAIL_TAKEN && (
        <Button kind="secondary" onClick={props.toLogIn}>
          {messages.signUp.instead}
        </Button>
      )}
      <NewPasswordField
        messages={messages}
        passwordMin={passwordMin}
        label={messages.fields.password}
        error={errors['password']}
      />
      {props.note && <div class={`${styles.small} ${base.muted}`}>{props.note}</div>}
    </SignInForm>
  )
}
