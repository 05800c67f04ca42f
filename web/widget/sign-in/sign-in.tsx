/** For a visitor without a session: from the login to the link with the app. */
import type { AuthStep } from '@coffer/contract/widget/widget'
import type { ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { TextButton } from '../../ui/button.tsx'
import { ForgotForm } from '../../ui/sign-in/forgot-form.tsx'
import { LogInForm } from '../../ui/sign-in/log-in-form.tsx'
import { SignUpForm } from '../../ui/sign-in/sign-up-form.tsx'
import { useHeadingFocus } from '../../ui/use-heading-focus.ts'
import { Consent, ConsentList, VerifyEmail, Linked, type FirstRequest } from './screens.tsx'
import { signInEn } from './messages-en.ts'
import type { PasskeyProps } from './passkey.tsx'
import { call } from '../calls.ts'
import { Frame } from '../frame.tsx'
import { en } from '../messages-en.ts'
import { usePage } from '../page-context.ts'
import type { Address } from '../take-address.ts'
import * as base from '../../ui/base.module.css'
import * as signIn from '../../ui/sign-in/sign-in.module.css'

type Screen =
  | { name: 'logIn'; notice?: string | undefined }
  | { name: 'signUp' }
  | { name: 'forgot' }
  | { name: 'consent'; ticket: string; firstName: string }
  | { name: 'verify'; ticket: string; first: FirstRequest }
  | { name: 'linked' }

Object.assign(en, signInEn)

type SignInProps = Pick<Address, 'state' | 'challenge' | 'isSwitched'>

export function SignIn(props: SignInProps) {
  const { messages, data, post } = usePage()
  const app = { clientId: data.clientId, challenge: props.challenge }
  const { screen, setScreen, begin, showStep } = useSteps(props)
  const [email, setEmail] = useState('')
  useHeadingFocus(screen.name)
  const Passkey = useLoadedPasskey(data.hasPasskeys)
  useEffect(() => post({ type: 'SERVICE_AUTH_REQUIRED', reason: 'no_session' }), [])

  const isTransient = screen.name === 'linked' || (data.hasPasskeys && !Passkey)
  return <Frame isTransient={isTransient}>{renderScreen()}</Frame>

  function renderScreen() {
    const toLogIn = (notice?: string) => setScreen({ name: 'logIn', notice })
    const shared = { messages, email, setEmail, showStep, toLogIn }
    const form = { ...shared, done: showStep, back: () => toLogIn() }
    switch (screen.name) {
      case 'logIn':
        return (
          <LogInForm
            {...form}
            lead={messages.logIn.lead(data.appName)}
            notice={screen.notice}
            send={(input) =>
              begin(input.email, () => call('POST /api/widget/auth/log-in', { ...app, ...input }))
            }
            toForgot={data.hasMailer && (() => setScreen({ name: 'forgot' }))}
          >
            {Passkey && <Passkey app={app} done={showStep} />}
            <ToSignUp onClick={() => setScreen({ name: 'signUp' })} />
          </LogInForm>
        )
      case 'signUp':
        return (
          <SignUpForm
            {...form}
            passwordMin={data.passwordMin}
            lead={messages.signUp.lead(data.appName)}
            note={<ConsentList title={messages.signUp.consent(data.appName)} />}
            send={(fields) =>
              begin(fields.email, () =>
                call('POST /api/widget/auth/sign-up', { ...app, ...fields }),
              )
            }
            toLogIn={form.back}
          />
        )
      case 'forgot':
        return (
          <ForgotForm
            {...form}
            send={(address) => call('POST /api/widget/auth/forgot', { ...app, email: address })}
          />
        )
      case 'consent':
        return <Consent {...shared} ticket={screen.ticket} firstName={screen.firstName} />
      case 'verify':
        return <VerifyEmail {...shared} ticket={screen.ticket} first={screen.first} />
      case 'linked':
        return <Linked />
    }
  }
}

/** The step that the service requires next, and its screen. */
function useSteps({ state, isSwitched }: SignInProps) {
  const { messages, data, post } = usePage()
  const switched = isSwitched && messages.logIn.switched(data.appName)
  const [screen, setScreen] = useState<Screen>({ name: 'logIn', notice: switched })
  const first = useRef<FirstRequest>(undefined)

  function begin(email: string, send: FirstRequest['send']) {
    first.current = { email, send }
    return send()
  }

  function showStep(next: AuthStep) {
    const { step, ticket = '', firstName = '' } = next
    if (step === 'consent') setScreen({ name: step, ticket, firstName })
    const { current } = first
    if (step === 'verify' && current) setScreen({ name: step, ticket, first: current })
    if (step === 'reset') setScreen({ name: 'logIn', notice: messages.linkSent })
    if (step === 'linked') finish(next)
  }

  function finish({ serviceUserId = '', linkCode }: AuthStep) {
    setScreen({ name: 'linked' })
    const proof = linkCode !== undefined && { linkCode }
    const echo = state !== undefined && { state }
    post({ type: 'SERVICE_AUTH_SUCCESS', serviceUserId, ...proof, ...echo })
  }

  return { screen, setScreen, begin, showStep }
}

function ToSignUp({ onClick }: { onClick: () => void }) {
  const { messages } = usePage()
  return (
    <p class={`${signIn.other} ${base.muted}`}>
      {messages.logIn.other} <TextButton onClick={onClick}>{messages.logIn.signUp}</TextButton>
    </p>
  )
}

function useLoadedPasskey(isNeeded: boolean) {
  const [Passkey, setPasskey] = useState<ComponentType<PasskeyProps>>()
  useEffect(() => {
    if (isNeeded) void import('./passkey.tsx').then((it) => setPasskey(() => it.Passkey))
  }, [])
  return Passkey
}
