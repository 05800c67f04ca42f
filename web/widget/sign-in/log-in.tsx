import { useId } from 'preact/hooks'
import { Button, TextButton } from '../../ui/button.tsx'
import { Field, PasswordField } from '../../ui/field.tsx'
import { Notice, FormFault } from '../../ui/notice.tsx'
import { useForm, isEmail } from '../../ui/use-form.ts'
import { AuthHead, type AuthScreenProps } from './form.tsx'
import { calls } from '../calls.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { usePage } from '../page-context.ts'

interface LogInProps extends AuthScreenProps {
  notice: string | undefined
  toSignUp: () => void
  toForgot: () => void
}

export function LogIn({ email, setEmail, follow, notice, toSignUp, toForgot }: LogInProps) {
  const { words, data } = usePage()
  const faultId = useId()
  const { faults, isBusy, formProps } = useForm({
    check: (values) => ({
      email: isEmail(values['email']) ? '' : words.faults.email,
      password: values['password'] ? '' : words.faults.password,
    }),
    send: ({ email: address = '', password = '' }) =>
      calls.logIn({ clientId: data.clientId, email: address, password }),
    explain: (result) => explainRefusal(result, words, ['email', 'password']),
    done: (step) => follow(step),
  })
  const isWrong = faults['form'] === words.errors.LOGIN_FAILED
  return (
    <form class="auth appear" {...formProps}>
      <AuthHead title={words.logIn.title}>{words.logIn.lead(data.appName)}</AuthHead>
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
        <div class="auth-forgot">
          <TextButton onClick={toForgot}>{words.logIn.forgot}</TextButton>
        </div>
      )}
      <Button type="submit" isBusy={isBusy}>
        {words.logIn.submit}
      </Button>
      <p class="auth-other muted">
        {words.logIn.other} <TextButton onClick={toSignUp}>{words.logIn.signUp}</TextButton>
      </p>
    </form>
  )
}
