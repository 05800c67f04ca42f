import { TextButton } from '../button.tsx'
import { explainRefusal, type RefusalMessages } from '../explain-refusal.ts'
import type { SharedMessages } from '../messages-en.ts'
import type { Result } from '../request.ts'
import { isEmail, useForm } from '../use-form.ts'
import { EmailField, type EmailProps } from './email-field.tsx'
import { SignInForm } from './sign-in-form.tsx'
import * as styles from './sign-in.module.css'

interface ForgotFormProps<Step> extends EmailProps {
  messages: SharedMessages & RefusalMessages
  send: (email: string) => Promise<Result<Step>>
  done: (step: Step) => void
  back: () => void
}

export function ForgotForm<Step>(props: ForgotFormProps<Step>) {
  const { messages } = props
  const form = useForm({
    check: ({ email }) => ({ email: isEmail(email) ? '' : messages.fieldErrors.email }),
    send: ({ email = '' }) => props.send(email),
    explain: (result) => explainRefusal(result, messages, ['email']),
    done: props.done,
  })
  const back = <TextButton onClick={props.back}>{messages.backToLogIn}</TextButton>
  return (
    <SignInForm {...messages.forgot} form={form} end={<p class={styles.other}>{back}</p>}>
      <EmailField {...props} error={form.errors['email']} />
    </SignInForm>
  )
}
