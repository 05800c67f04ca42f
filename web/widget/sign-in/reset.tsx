import { Button } from '../../ui/button.tsx'
import { CodeField, countCharacters } from '../../ui/field.tsx'
import { MailIcon } from '../../ui/icons.tsx'
import { useForm } from '../../ui/use-form.ts'
import { FormFault } from '../../ui/notice.tsx'
import { AuthHead, NewPasswordField, type AuthScreenProps } from './form.tsx'
import { Resend } from './resend.tsx'
import { isCode } from './verify.tsx'
import { calls } from '../calls.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { usePage } from '../page-context.ts'

export function ResetPassword(props: AuthScreenProps & { ticket: string }) {
  const { ticket, email, follow, toLogIn } = props
  const { words, data } = usePage()
  const { faults, isBusy, formProps } = useForm({
    check: ({ code, password = '' }) => ({
      code: isCode(code) ? '' : words.faults.code,
      password:
        countCharacters(password) < data.passwordMin
          ? words.passwordTooShort(data.passwordMin)
          : '',
    }),
    send: ({ code = '', password = '' }) => calls.reset({ ticket, code, password }),
    explain: (result) => explainRefusal(result, words, ['code', 'password']),
    done: (step) => follow(step),
  })
  return (
    <form class="auth appear" {...formProps}>
      <AuthHead title={words.reset.title} icon={<MailIcon />}>
        {words.reset.lead} <strong>{email}</strong>
      </AuthHead>
      <FormFault text={faults['form']} />
      <CodeField
        name="code"
        label={words.fields.code}
        autoComplete="one-time-code"
        error={faults['code']}
      />
      <NewPasswordField label={words.fields.newPassword} error={faults['password']} />
      <Button type="submit" isBusy={isBusy}>
        {words.reset.submit}
      </Button>
      <Resend
        ask={() => calls.forgot({ clientId: data.clientId, email })}
        done={(step) => follow(step)}
        back={() => toLogIn()}
      />
    </form>
  )
}
