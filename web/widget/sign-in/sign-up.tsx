import { useRef } from 'preact/hooks'
import { Button, TextButton } from '../../ui/button.tsx'
import { Field, countCharacters } from '../../ui/field.tsx'
import { useForm, isEmail } from '../../ui/use-form.ts'
import { FormFault } from '../../ui/notice.tsx'
import { AuthHead, NewPasswordField, type AuthScreenProps } from './form.tsx'
import { calls, type SignUpInput } from '../calls.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { usePage } from '../page-context.ts'

const FIELDS = ['firstName', 'lastName', 'email', 'password']

function useSignUp(follow: AuthScreenProps['follow']) {
  const { words, data } = usePage()
  const sent = useRef<SignUpInput>(undefined)
  return useForm({
    check: ({ firstName, lastName, email, password = '' }) => ({
      firstName: firstName?.trim() ? '' : words.faults.firstName,
      lastName: lastName?.trim() ? '' : words.faults.lastName,
      email: isEmail(email) ? '' : words.faults.email,
      password:
        countCharacters(password) < data.passwordMin
          ? words.passwordTooShort(data.passwordMin)
          : '',
    }),
    send: ({ firstName = '', lastName = '', email = '', password = '' }) => {
      sent.current = {
        clientId: data.clientId,
        firstName: firstName.trim(),
        lastName: lastName.trim(),
        email,
        password,
      }
      return calls.signUp(sent.current)
    },
    explain: (result) => explainRefusal(result, words, FIELDS),
    done: (step) => follow(step, sent.current),
  })
}

export function SignUp({ email, setEmail, follow, toLogIn }: AuthScreenProps) {
  const { words, data } = usePage()
  const { faults, isBusy, formProps } = useSignUp(follow)
  return (
    <form class="auth appear" {...formProps}>
      <AuthHead title={words.signUp.title}>{words.signUp.lead(data.appName)}</AuthHead>
      <FormFault text={faults['form']} />
      <div class="auth-names">
        <Field
          name="firstName"
          label={words.fields.firstName}
          autoComplete="given-name"
          error={faults['firstName']}
        />
        <Field
          name="lastName"
          label={words.fields.lastName}
          autoComplete="family-name"
          error={faults['lastName']}
        />
      </div>
      <Field
        name="email"
        type="email"
        label={words.fields.email}
        autoComplete="email"
        value={email}
        error={faults['email']}
        onInput={(input) => setEmail(input.value)}
      />
      <NewPasswordField label={words.fields.password} error={faults['password']} />
      <p class="auth-small muted">{words.signUp.consent(data.appName)}</p>
      <Button type="submit" isBusy={isBusy}>
        {words.signUp.submit}
      </Button>
      <p class="auth-other muted">
        {words.signUp.other} <TextButton onClick={toLogIn}>{words.signUp.logIn}</TextButton>
      </p>
    </form>
  )
}
