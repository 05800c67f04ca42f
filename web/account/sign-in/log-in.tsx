import { useId } from 'preact/hooks'
import { Button, TextButton } from '../../ui/button.tsx'
import { Field, PasswordField } from '../../ui/field.tsx'
import { Notice, FormFault } from '../../ui/notice.tsx'
import { useForm, isEmail } from '../../ui/use-form.ts'
import { DoorHead, type DoorScreenProps } from './parts.tsx'
import { explainRefusal } from '../explain-refusal.ts'
import { usePage } from '../page-context.ts'

interface LogInProps extends DoorScreenProps {
  notice: string | undefined
  toForgot: () => void
}

export function LogIn({ email, setEmail, enter, notice, toForgot }: LogInProps) {
  const { words, data, calls } = usePage()
  const faultId = useId()
  const { faults, isBusy, formProps } = useForm({
    check: (values) => ({
      email: isEmail(values['email']) ? '' : words.faults.email,
      password: values['password'] ? '' : words.faults.password,
    }),
    send: ({ email: address = '', password = '' }) => calls.logIn({ email: address, password }),
    explain: (result) => explainRefusal(result, words, { fields: ['email', 'password'] }),
    done: () => void enter(),
  })
  const isWrong = faults['form'] === words.errors.LOGIN_FAILED
  return (
    <form class="door-form appear" {...formProps}>
      <DoorHead title={words.logIn.title}>{words.logIn.lead}</DoorHead>
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
      {data.hasMailer && (
        <div class="door-forgot">
          <TextButton onClick={toForgot}>{words.logIn.forgot}</TextButton>
        </div>
      )}
      <Button type="submit" isBusy={isBusy}>
        {words.logIn.submit}
      </Button>
      <p class="door-small muted">{words.logIn.noAccount}</p>
    </form>
  )
}
