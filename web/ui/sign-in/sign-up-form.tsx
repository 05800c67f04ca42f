import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { Button, TextButton } from '../button.tsx'
import { explainRefusal, type RefusalWords } from '../explain-refusal.ts'
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
  words: SharedMessages &
    RefusalWords & {
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
  const { words, passwordMin } = props
  const sent = useRef<SignUpFields>(undefined)
  const form = useForm({
    check: ({ firstName, lastName, email, password }) => ({
      firstName: firstName?.trim() ? '' : words.fieldErrors.firstName,
      lastName: lastName?.trim() ? '' : words.fieldErrors.lastName,
      email: isEmail(email) ? '' : words.fieldErrors.email,
      password: checkNewPassword(password, passwordMin, words),
    }),
    send: ({ firstName = '', lastName = '', email = '', password = '' }) => {
      sent.current = { firstName: firstName.trim(), lastName: lastName.trim(), email, password }
      return props.send(sent.current)
    },
    explain: (result) => explainRefusal(result, words, FIELDS),
    done: (step) => sent.current && props.done(step, sent.current),
  })
  const { errors } = form
  const end = (
    <p class={`${styles.other} ${base.muted}`}>
      {words.signUp.other} <TextButton onClick={props.toLogIn}>{words.signUp.logIn}</TextButton>
    </p>
  )
  return (
    <SignInForm {...words.signUp} form={form} lead={props.lead} end={end}>
      <div class={styles.names}>
        {NAMES.map((name) => (
          <Field
            key={name}
            name={name}
            label={words.fields[name]}
            autoComplete={name === 'firstName' ? 'given-name' : 'family-name'}
            error={errors[name]}
          />
        ))}
      </div>
      <EmailField {...props} autoComplete="email" error={errors['email']} />
      {errors['email'] && errors['email'] === words.errors.EMAIL_TAKEN && (
        <Button kind="secondary" onClick={props.toLogIn}>
          {words.signUp.instead}
        </Button>
      )}
      <NewPasswordField
        words={words}
        passwordMin={passwordMin}
        label={words.fields.password}
        error={errors['password']}
      />
      {props.note && <div class={`${styles.small} ${base.muted}`}>{props.note}</div>}
    </SignInForm>
  )
}
