/** Login with a passkey, or with password and code. The first login sets up the authenticator. */
import { useState } from 'preact/hooks'
import { LogInForm } from '../../ui/sign-in/log-in-form.tsx'
import { useHeadingFocus } from '../../ui/use-heading-focus.ts'
import { Brand } from '../brand.tsx'
import type { LogInStep } from '../calls.ts'
import { usePage } from '../page-context.ts'
import { EnterCode } from './code.tsx'
import { Enroll } from './enroll.tsx'
import { LogInByPasskey } from './passkey.tsx'
import { RecoveryCodes } from './recovery.tsx'
import { errorMessages } from '../explain-refusal.ts'
import * as styles from './sign-in.module.css'

const LOG_IN_MESSAGES = {
  ...errorMessages,
  fields: { email: 'Email', password: 'Password', showPassword: 'Show password' },
  logIn: { title: 'Log in', submit: 'Continue' },
}

type Screen =
  | { name: 'logIn' }
  | { name: 'code'; ticket: string }
  | { name: 'enroll'; ticket: string; totpUri: string }
  | { name: 'recovery'; codes: string[] }

interface SignInProps {
  notice: string | undefined
  onSignedIn: () => Promise<void>
}

export function SignIn({ notice, onSignedIn }: SignInProps) {
  const { call } = usePage()
  const [screen, setScreen] = useState<Screen>({ name: 'logIn' })
  const [email, setEmail] = useState('')
  useHeadingFocus(screen.name)

  function showStep({ step, ticket, totpUri = '' }: LogInStep) {
    setScreen(step === 'code' ? { name: 'code', ticket } : { name: 'enroll', ticket, totpUri })
  }
  function finish(codes: string[] | undefined) {
    if (codes) setScreen({ name: 'recovery', codes })
    else void onSignedIn()
  }
  const startAgain = () => setScreen({ name: 'logIn' })
  return (
    <div class={styles.page}>
      <header class={styles.brand}>
        <Brand />
      </header>
      <main class={styles.card}>
        {screen.name === 'logIn' && (
          <>
            <LogInForm
              messages={LOG_IN_MESSAGES}
              lead="For operators of this service."
              icon={null}
              email={email}
              setEmail={setEmail}
              notice={notice}
              send={(input) => call('POST /api/admin/sign-in', input)}
              done={showStep}
            />
            <LogInByPasskey onSignedIn={onSignedIn} />
          </>
        )}
        {screen.name === 'code' && (
          <EnterCode ticket={screen.ticket} onDone={finish} startAgain={startAgain} />
        )}
        {screen.name === 'enroll' && (
          <Enroll
            ticket={screen.ticket}
            totpUri={screen.totpUri}
            onDone={finish}
            startAgain={startAgain}
          />
        )}
        {screen.name === 'recovery' && <RecoveryCodes codes={screen.codes} onDone={onSignedIn} />}
      </main>
    </div>
  )
}
