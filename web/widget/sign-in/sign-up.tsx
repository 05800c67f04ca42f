import { useRef } from 'preact/hooks'
import { TextButton } from '../../ui/button.tsx'
import { explainRefusal } from '../../ui/explain-refusal.ts'
import { Field } from '../../ui/field.tsx'
import { EmailField } from '../../ui/sign-in/email-field.tsx'
import { checkNewPassword, NewPasswordField } from '../../ui/sign-in/new-password-field.tsx'
import { SignInForm } from '../../ui/sign-in/sign-in-form.tsx'
import { useForm, isEmail } from '../../ui/use-form.ts'
import { calls, type SignUpInput } from '../calls.ts'
import { usePage } from '../page-context.ts'
import type { ScreenProps } from './screen-props.ts'
import * as base from '../../ui/base.module.css'
import * as signIn from '../../ui/sign-in/sign-in.module.css'

interface SignUpProps extends ScreenProps {
  app: Pick<SignUpInput, 'clientId' | 'challenge'>
}

const FIELDS = ['firstName', 'lastName', 'email', 'password']

function useSignUp({ follow, app }: SignUpProps) {
  const { words, data } = usePage()
  const sent = useRef<SignUpInput>(undefined)
  return useForm({
    check: ({ firstName, lastName, email, password }) => ({
      firstName: firstName?.trim() ? '' : words.faults.firstName,
      lastName: lastName?.trim() ? '' : words.faults.lastName,
      email: isEmail(email) ? '' : words.faults.email,
      password: checkNewPassword(password, data.passwordMin, words),
    }),
    send: ({ firstName = '', lastName = '', email = '', password = '' }) => {
      sent.current = {
        ...app,
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

export function SignUp(props: SignUpProps) {
  const { email, setEmail, toLogIn } = props
  const { words, data } = usePage()
  const form = useSignUp(props)
  const { faults } = form
  return (
    <SignInForm
      form={form}
      title={words.signUp.title}
      lead={words.signUp.lead(data.appName)}
      submit={words.signUp.submit}
      end={
        <p class={`${signIn.other} ${base.muted}`}>
          {words.signUp.other}{' '}
          <TextButton onClick={() => toLogIn()}>{words.signUp.logIn}</TextButton>
        </p>
      }
    >
      <div class={signIn.names}>
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
      <EmailField
        words={words}
        autoComplete="email"
        email={email}
        setEmail={setEmail}
        error={faults['email']}
      />
      <NewPasswordField
        words={words}
        passwordMin={data.passwordMin}
        label={words.fields.password}
        error={faults['password']}
      />
      <p class={`${signIn.small} ${base.muted}`}>{words.signUp.consent(data.appName)}</p>
    </SignInForm>
  )
}
