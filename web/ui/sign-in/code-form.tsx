import type { ComponentChildren } from 'preact'
import { explainRefusal, type RefusalWords } from '../explain-refusal.ts'
import { CodeField } from '../field.tsx'
import { MailIcon } from '../form-icons.tsx'
import type { SharedMessages } from '../messages-en.ts'
import type { Result } from '../request.ts'
import { isCode, useForm } from '../use-form.ts'
import { NewPasswordField, checkNewPassword } from './new-password-field.tsx'
import { Resend, type ResendProps } from './resend.tsx'
import { SignInForm } from './sign-in-form.tsx'

interface CodeFormProps<Step, ResendStep> extends ResendProps<ResendStep> {
  words: SharedMessages & RefusalWords
  texts: { title: string; lead: string; submit: string }
  email: string
  /** Asks for a new password too, of this length. */
  passwordMin?: number
  send: (input: { code: string; password: string }) => Promise<Result<Step>>
  done: (step: Step) => void
}

/** Takes the code from an email, and the new password of a visitor who forgot the old one. */
export function CodeForm<Step, ResendStep>(props: CodeFormProps<Step, ResendStep>) {
  const { words, texts, passwordMin = 0 } = props
  const form = useForm({
    check: ({ code, password }) => ({
      code: isCode(code) ? '' : words.faults.code,
      password: checkNewPassword(password, passwordMin, words),
    }),
    send: ({ code = '', password = '' }) => props.send({ code, password }),
    explain: (result) => explainRefusal(result, words, ['code', passwordMin ? 'password' : '']),
    done: props.done,
  })
  const lead: ComponentChildren = (
    <>
      {texts.lead} <strong>{props.email}</strong>
    </>
  )
  return (
    <SignInForm {...texts} form={form} lead={lead} icon={<MailIcon />} end={<Resend {...props} />}>
      <CodeField
        name="code"
        label={words.fields.code}
        autoComplete="one-time-code"
        error={form.faults['code']}
      />
      {passwordMin > 0 && (
        <NewPasswordField
          words={words}
          passwordMin={passwordMin}
          label={words.fields.newPassword}
          error={form.faults['password']}
        />
      )}
    </SignInForm>
  )
}
