/** Login, sign-up, and a link by email for visitors who forgot their password. */
import { useState } from 'preact/hooks'
import { TextButton } from '../../ui/button.tsx'
import { CodeForm } from '../../ui/sign-in/code-form.tsx'
import { ForgotForm } from '../../ui/sign-in/forgot-form.tsx'
import { LogInForm } from '../../ui/sign-in/log-in-form.tsx'
import { SignUpForm, type SignUpFields } from '../../ui/sign-in/sign-up-form.tsx'
import { useHeadingFocus } from '../../ui/use-heading-focus.ts'
import { usePage } from '../page-context.ts'
import { explainAsText } from '../../ui/explain-refusal.ts'
import { canUsePasskeys, sendSigned } from '../../ui/passkeys/browser-passkeys.ts'
import { choosePasskeyMessages } from '../../ui/passkeys/messages.ts'
import { PasskeyLogIn } from '../../ui/passkeys/passkey-log-in.tsx'
import * as base from '../../ui/base.module.css'
import * as signIn from '../../ui/sign-in/sign-in.module.css'
import * as styles from './sign-in.module.css'

type Screen =
  | { name: 'logIn'; notice: string | undefined }
  | { name: 'signUp' }
  | { name: 'verify'; ticket: string; fields: SignUpFields }
  | { name: 'forgot' }

interface SignInProps {
  notice: string | undefined
  /** Begins with the form for a forgotten password. */
  isForgotten?: boolean
  onSignedIn: () => Promise<void>
}

export function SignIn({ notice, isForgotten, onSignedIn }: SignInProps) {
  const { messages, data, call } = usePage()
  const first: Screen = isForgotten ? { name: 'forgot' } : { name: 'logIn', notice }
  const [screen, setScreen] = useState<Screen>(first)
  const [email, setEmail] = useState('')
  useHeadingFocus(screen.name)

  const toLogIn = (text?: string) => setScreen({ name: 'logIn', notice: text })
  const back = () => toLogIn()
  const shared = { messages, email, setEmail, back }

  /** With a ticket, a code was sent. Without one, the person is logged in. */
  function showStep({ ticket }: { ticket?: string | undefined }, fields: SignUpFields) {
    if (ticket === undefined) void onSignedIn()
    else setScreen({ name: 'verify', ticket, fields })
  }

  return <main class={styles.page}>{renderScreen()}</main>

  function renderScreen() {
    switch (screen.name) {
      case 'logIn':
        return (
          <LogInForm
            {...shared}
            lead={messages.logIn.lead}
            notice={screen.notice ?? notice}
            send={(input) => call('POST /api/account/log-in', input)}
            done={() => void onSignedIn()}
            toForgot={data.hasMailer && (() => setScreen({ name: 'forgot' }))}
          >
            <LogInByPasskey onSignedIn={onSignedIn} />
            <ToSignUp onClick={() => setScreen({ name: 'signUp' })} />
          </LogInForm>
        )
      case 'signUp':
        return (
          <SignUpForm
            {...shared}
            messages={{
              ...messages,
              errors: { ...messages.errors, EMAIL_TAKEN: messages.signUp.taken },
            }}
            passwordMin={data.passwordMin}
            lead={messages.signUp.lead}
            send={(input) => call('POST /api/account/sign-up', input)}
            done={showStep}
            toLogIn={back}
          />
        )
      case 'verify':
        return (
          <CodeForm
            {...shared}
            email={screen.fields.email}
            send={(code) =>
              call('POST /api/account/sign-up/verify', { ticket: screen.ticket, code })
            }
            done={() => void onSignedIn()}
            resend={() => call('POST /api/account/sign-up', screen.fields)}
            onResent={(step) => showStep(step, screen.fields)}
          />
        )
      case 'forgot':
        return (
          <ForgotForm
            {...shared}
            send={(address) => call('POST /api/account/forgot', { email: address })}
            done={() => toLogIn(messages.linkSent)}
          />
        )
    }
  }
}

function ToSignUp({ onClick }: { onClick: () => void }) {
  const { messages } = usePage()
  return (
    <p class={`${signIn.other} ${base.muted}`}>
      {messages.logIn.other} <TextButton onClick={onClick}>{messages.logIn.signUp}</TextButton>
    </p>
  )
}

/** Shown if the browser supports passkeys. */
function LogInByPasskey({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  const { messages, data, call } = usePage()
  if (!canUsePasskeys(data.passkeyHost)) return null
  const passkeyMessages = choosePasskeyMessages(messages)
  const errors = { ...messages.errors, PASSKEY_INVALID: passkeyMessages.invalid }
  return (
    <PasskeyLogIn
      messages={passkeyMessages}
      send={() =>
        sendSigned(
          () => call('POST /api/account/log-in/passkey'),
          (signed) => call('POST /api/account/log-in/passkey/finish', signed),
          passkeyMessages,
        )
      }
      explain={(result) => explainAsText(result, { ...messages, errors })}
      done={onSignedIn}
    />
  )
}
