import type { ComponentChildren } from 'preact'
import { explainRefusal, type RefusalWords } from '../explain-refusal.ts'
import { CodeField } from '../field.tsx'
import { MailIcon } from '../form-icons.tsx'
import type { SharedMessages } from '../messages-en.ts'
import type { Result } from '../request.ts'
import { isCode, useForm } from '../use-form.ts'
import { Resend, type ResendProps } from './resend.tsx'
import { SignInForm } from './sign-in-form.tsx'

interface CodeFormProps<Step, ResendStep> extends ResendProps<ResendStep> {
  words: SharedMessages & RefusalWords
  texts: { title: string; lead: string; submit: string }
  email: string
  send: (code: string) => Promise<Result<Step>>
  done: (step: Step) => void
}

/** Takes the code from an email. */
export function CodeForm<Step, ResendStep>(props: CodeFormProps<Step, ResendStep>) {
  const { words, texts } = props
  const form = useForm({
    check: ({ code }) => ({ code: isCode(code) ? '' : words.fieldErrors.code }),
    send: ({ code = '' }) => props.send(code),
    explain: (result) => explainRefusal(result, words, ['code']),
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
        error={form.errors['code']}
      />
    </SignInForm>
  )
}
