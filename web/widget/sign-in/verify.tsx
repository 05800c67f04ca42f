import { Button } from '../../ui/button.tsx'
import { CodeField } from '../../ui/field.tsx'
import { MailIcon } from '../../ui/icons.tsx'
import { useForm } from '../../ui/use-form.ts'
import { FormFault } from '../../ui/notice.tsx'
import { AuthHead, type AuthScreenProps } from './form.tsx'
import { Resend } from './resend.tsx'
import { calls, type SignUpInput } from '../calls.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { usePage } from '../page-context.ts'

interface VerifyEmailProps extends AuthScreenProps {
  ticket: string
  input: SignUpInput
}

export function VerifyEmail({ ticket, input, follow, toLogIn }: VerifyEmailProps) {
  const { words } = usePage()
  const { faults, isBusy, formProps } = useForm({
    check: ({ code }) => ({ code: isCode(code) ? '' : words.faults.code }),
    send: ({ code = '' }) => calls.verify({ ticket, code }),
    explain: (result) => explainRefusal(result, words, ['code']),
    done: (step) => follow(step, input),
  })
  return (
    <form class="auth appear" {...formProps}>
      <AuthHead title={words.verify.title} icon={<MailIcon />}>
        {words.verify.lead} <strong>{input.email}</strong>
      </AuthHead>
      <FormFault text={faults['form']} />
      <CodeField
        name="code"
        label={words.fields.code}
        autoComplete="one-time-code"
        error={faults['code']}
      />
      <Button type="submit" isBusy={isBusy}>
        {words.verify.submit}
      </Button>
      <Resend
        ask={() => calls.signUp(input)}
        done={(step) => follow(step, input)}
        back={() => toLogIn()}
      />
    </form>
  )
}

export function isCode(text: string | undefined): boolean {
  return /^\d{6}$/.test(text ?? '')
}
