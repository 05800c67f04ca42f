import { useId } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Field, PasswordField } from '../../ui/field.tsx'
import { Notice, FormFault } from '../../ui/notice.tsx'
import { useForm, isEmail } from '../../ui/use-form.ts'
import type { LogInStep } from '../calls.ts'
import { DoorHead } from './parts.tsx'
import { explainRefusal } from '../explain-refusal.ts'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'

interface LogInProps {
  email: string
  setEmail: (email: string) => void
  notice: string | undefined
  onDone: (step: LogInStep) => void
}

export function LogIn({ email, setEmail, notice, onDone }: LogInProps) {
  const { calls } = usePage()
  const faultId = useId()
  const { faults, isBusy, formProps } = useForm({
    check: (values) => ({
      email: isEmail(values['email']) ? '' : words.faults.email,
      password: values['password'] ? '' : words.faults.password,
    }),
    send: ({ email: address = '', password = '' }) => calls.logIn({ email: address, password }),
    explain: (result) => explainRefusal(result, ['email', 'password']),
    done: onDone,
  })
  const isWrong = faults['form'] === words.errors.LOGIN_FAILED
  return (
    <form class="form appear" {...formProps}>
      <DoorHead title={words.logIn.title} text={words.logIn.lead} />
      {notice && !faults['form'] && <Notice kind="info">{notice}</Notice>}
      <FormFault id={faultId} text={faults['form']} />
      <Field
        name="email"
        type="email"
        label={words.fields.email}
        autoComplete="username"
        value={email}
        error={faults['email']}
        onInput={(input) => setEmail(input.value)}
      />
      <PasswordField
        name="password"
        label={words.fields.password}
        showLabel={words.fields.showPassword}
        autoComplete="current-password"
        error={faults['password']}
        errorId={isWrong ? faultId : undefined}
      />
      <Button type="submit" isBusy={isBusy}>
        {words.logIn.submit}
      </Button>
    </form>
  )
}
