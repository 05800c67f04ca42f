import type { ComponentChildren } from 'preact'
import { explainRefusal, type RefusalMessages } from '../explain-refusal.ts'
import { CodeField } from '../field.tsx'
import { MailIcon } from '../icons.tsx'
import type { SharedMessages } from '../messages-en.ts'
import type { Result } from '../request.ts'
import { isCode, useForm } from '../use-form.ts'
import { Resend, type ResendProps } from './resend.tsx'
import { SignInForm } from './sign-in-form.tsx'

interface CodeFormProps<Step, ResendStep> extends ResendProps<ResendStep> {
  messages: SharedMessages &
    RefusalMessages & { verify: { title: string; lead: string; submit: string } }
  email: string
  send: (code: string) => Promise<Result<Step>>
  done: (step: Step) => void
}

/** Takes the code from an email. */
export function CodeForm<Step, ResendStep>(props: CodeFormProps<Step, ResendStep>) {
  const { messages } = props
  const { title, submit } = messages.verify
  const form = useForm({
    check: ({ code }) => ({ code: isCode(code) ? '' : messages.fieldErrors.code }),
    send: ({ code = '' }) => props.send(code),
    explain: (result) => explainRefusal(result, messages, ['code']),
    done: props.done,
  })
  const lead: ComponentChildren = (
    <>
      {messages.verify.lead} <strong>{props.email}</strong>
    </>
  )
  return (
    <SignInForm {...{ title, lead, submit, form }} icon={<MailIcon />} end={<Resend {...props} />}>
      <CodeField
        name="code"
        label={messages.fields.code}
        autoComplete="one-time-code"
        error={form.errors['code']}
      />
    </SignInForm>
  )
}
