/** Login, and a link by email for visitors who forgot their password. */
import { useState } from 'preact/hooks'
import { ForgotForm } from '../../ui/sign-in/forgot-form.tsx'
import { LogInForm } from '../../ui/sign-in/log-in-form.tsx'
import { useHeadingFocus } from '../../ui/use-heading-focus.ts'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as signIn from '../../ui/sign-in/sign-in.module.css'
import * as styles from './sign-in.module.css'

type Screen = { name: 'logIn'; notice: string | undefined } | { name: 'forgot' }

interface SignInProps {
  notice: string | undefined
  /** Begins with the form for a forgotten password. */
  isForgotten?: boolean
  onSignedIn: () => Promise<void>
}

export function SignIn({ notice, isForgotten, onSignedIn }: SignInProps) {
  const { words, data, calls } = usePage()
  const first: Screen = isForgotten ? { name: 'forgot' } : { name: 'logIn', notice }
  const [screen, setScreen] = useState(first)
  const [email, setEmail] = useState('')
  useHeadingFocus(screen.name)

  const toLogIn = (text?: string) => setScreen({ name: 'logIn', notice: text })
  const shared = { words, email, setEmail }
  return <main class={styles.page}>{renderScreen()}</main>

  function renderScreen() {
    switch (screen.name) {
      case 'logIn':
        return (
          <LogInForm
            {...shared}
            lead={words.logIn.lead}
            notice={screen.notice ?? notice}
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
            done={() => toLogIn(words.linkSent)}
            back={() => toLogIn()}
          />
        )
    }
  }
}
