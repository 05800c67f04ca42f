/** Login, and a new password for visitors who forgot theirs. */
import { useState } from 'preact/hooks'
import { CodeForm } from '../../ui/sign-in/code-form.tsx'
import { ForgotForm } from '../../ui/sign-in/forgot-form.tsx'
import { LogInForm } from '../../ui/sign-in/log-in-form.tsx'
import { useHeadingFocus } from '../../ui/use-heading-focus.ts'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as signIn from '../../ui/sign-in/sign-in.module.css'
import * as styles from './sign-in.module.css'

type Screen = { name: 'logIn' } | { name: 'forgot' } | { name: 'reset'; ticket: string }

interface SignInProps {
  notice: string | undefined
  onSignedIn: () => Promise<void>
}

export function SignIn({ notice, onSignedIn }: SignInProps) {
  const { words, data, calls } = usePage()
  const [screen, setScreen] = useState<Screen>({ name: 'logIn' })
  const [email, setEmail] = useState('')
  useHeadingFocus(screen.name)

  const toLogIn = () => setScreen({ name: 'logIn' })
  const toReset = ({ ticket }: { ticket: string }) => setScreen({ name: 'reset', ticket })
  const shared = { words, email, setEmail, back: toLogIn }
  return <main class={styles.page}>{renderScreen()}</main>

  function renderScreen() {
    switch (screen.name) {
      case 'logIn':
        return (
          <LogInForm
            {...shared}
            lead={words.logIn.lead}
            notice={notice}
            send={calls.logIn}
            done={() => void onSignedIn()}
            toForgot={data.hasMailer && (() => setScreen({ name: 'forgot' }))}
          >
            <p class={`${signIn.small} ${base.muted}`}>{words.logIn.noAccount}</p>
          </LogInForm>
        )
      case 'forgot':
        return (
          <ForgotForm
            {...shared}
            send={(address) => calls.forgot({ email: address })}
            done={toReset}
          />
        )
      case 'reset':
        return (
          <CodeForm
            {...shared}
            texts={words.reset}
            passwordMin={data.passwordMin}
            send={(input) => calls.reset({ ticket: screen.ticket, ...input })}
            done={() => void onSignedIn()}
            resend={() => calls.forgot({ email })}
            onResent={toReset}
          />
        )
    }
  }
}
