import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { TextButton } from '../button.tsx'
import { explainRefusal, type RefusalMessages } from '../explain-refusal.ts'
import { PasswordField } from '../field.tsx'
import { Notice } from '../notice.tsx'
import type { Result } from '../request.ts'
import { isEmail, useForm } from '../use-form.ts'
import { EmailField, type EmailProps } from './email-field.tsx'
import { SignInForm } from './sign-in-form.tsx'
import * as styles from './sign-in.module.css'

interface LogInMessages extends RefusalMessages {
  fields: { email: string; password: string; showPassword: string }
  fieldErrors: { email: string; password: string }
  logIn: { title: string; submit: string; forgot?: string }
}

interface LogInFormProps<Step> extends EmailProps {
  messages: LogInMessages
  lead: string
  icon?: ComponentChildren
  notice: string | undefined
  send: (input: { email: string; password: string }) => Promise<Result<Step>>
  done: (step: Step) => void
  /** Without it, there is no link for a forgotten password. */
  toForgot?: (() => void) | false
  /** Shown below the button. */
  children?: ComponentChildren
}

export function LogInForm<Step>(props: LogInFormProps<Step>) {
  const { messages, notice, toForgot } = props
  const errorId = useId()
  const form = useForm({
    check: ({ email, password }) => ({
      email: isEmail(email) ? '' : messages.fieldErrors.email,
      password: password ? '' : messages.fieldErrors.password,
    }),
    send: ({ email = '', password = '' }) => props.send({ email, password }),
    explain: (result) => explainRefusal(result, messages, ['email', 'password']),
    done: props.done,
  })
  const { errors } = form
  const isWrong = errors['form'] === messages.errors.LOGIN_FAILED
  return (
    <SignInForm
      {...messages.logIn}
      form={form}
      lead={props.lead}
      icon={props.icon}
      errorId={errorId}
      end={props.children}
    >
      {notice && !errors['form'] && <Notice kind="info">{notice}</Notice>}
      <EmailField {...props} error={errors['email']} />
      <PasswordField
        name="password"
        label={messages.fields.password}
        showLabel={messages.fields.showPassword}
        autoComplete="current-password"
        error={errors['password']}
        errorId={isWrong ? errorId : undefined}
      />
      {toForgot && (
        <div class={styles.forgot}>
          <TextButton onClick={toForgot}>{messages.logIn.forgot}</TextButton>
        </div>
      )}
    </SignInForm>
  )
}
