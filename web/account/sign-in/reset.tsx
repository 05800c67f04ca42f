/** The page that a link in an email opens: for a forgotten password, or to undo a change of the email address. */
import { TextButton } from '../../ui/button.tsx'
import { explainRefusal } from '../../ui/explain-refusal.ts'
import { checkNewPassword, NewPasswordField } from '../../ui/sign-in/new-password-field.tsx'
import { SignInForm } from '../../ui/sign-in/sign-in-form.tsx'
import { useForm } from '../../ui/use-form.ts'
import { usePage } from '../page-context.ts'
import * as signIn from '../../ui/sign-in/sign-in.module.css'
import * as styles from './sign-in.module.css'

interface ResetProps {
  kind: 'reset' | 'undo'
  ticket: string
  onSignedIn: () => void
  toForgot: () => void
}

export function Reset({ kind, ticket, onSignedIn, toForgot }: ResetProps) {
  const { messages, data, call } = usePage()
  const { title, lead, submit, invalid, again } = messages[kind]
  const endpoint = kind === 'reset' ? 'POST /api/account/reset' : 'POST /api/account/email/undo'
  const taken = kind === 'undo' && { EMAIL_TAKEN: messages.undo.taken }
  const errors = { ...messages.errors, CODE_INVALID: invalid, ...taken }
  const form = useForm({
    check: ({ password }) => ({ password: checkNewPassword(password, data.passwordMin, messages) }),
    send: ({ password = '' }) => call(endpoint, { ticket, password }),
    explain: (result) => explainRefusal(result, { ...messages, errors }, ['password']),
    done: onSignedIn,
  })
  const toNewLink = <TextButton onClick={toForgot}>{again}</TextButton>
  return (
    <main class={styles.page}>
      <SignInForm {...{ title, lead, submit, form }} end={<p class={signIn.other}>{toNewLink}</p>}>
        <NewPasswordField
          messages={messages}
          passwordMin={data.passwordMin}
          label={messages.fields.newPassword}
          error={form.errors['password']}
        />
      </SignInForm>
    </main>
  )
}
