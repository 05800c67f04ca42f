/** For a visitor without a session: from the login to the link with the app. */
import type { AuthStep } from '@coffer/contract/widget/widget'
import type { ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { TextButton } from '../../ui/button.tsx'
import { ForgotForm } from '../../ui/sign-in/forgot-form.tsx'
import { LogInForm } from '../../ui/sign-in/log-in-form.tsx'
import { SignUpForm } from '../../ui/sign-in/sign-up-form.tsx'
import { useHeadingFocus } from '../../ui/use-heading-focus.ts'
import { calls } from './calls.ts'
import { Consent } from './consent.tsx'
import { ConsentList } from './consent-list.tsx'
import { Linked } from './linked.tsx'
import { signInEn } from './messages-en.ts'
import type { PasskeyProps } from './passkey.tsx'
import type { FirstRequest } from './screen-props.ts'
import { VerifyEmail } from './verify.tsx'
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

export function SignIn({ state, challenge, isSwitched }: SignInProps) {
  const { words, data, post } = usePage()
  const app = { clientId: data.clientId, challenge }
  const switched = isSwitched && words.logIn.switched(data.appName)
  const [screen, setScreen] = useState<Screen>({ name: 'logIn', notice: switched })
  const [email, setEmail] = useState('')
  const first = useRef<FirstRequest>(undefined)
  useHeadingFocus(screen.name)
  const Passkey = useLoadedPasskey(data.hasPasskeys)
  useEffect(() => post({ type: 'SERVICE_AUTH_REQUIRED', reason: 'no_session' }), [])

  function begin(request: FirstRequest) {
    first.current = request
    return request.send()
  }

  function follow(next: AuthStep) {
    const { step, ticket = '', firstName = '' } = next
    if (step === 'consent') setScreen({ name: step, ticket, firstName })
    const { current } = first
    if (step === 'verify' && current) setScreen({ name: step, ticket, first: current })
    if (step === 'reset') setScreen({ name: 'logIn', notice: words.linkSent })
    if (step === 'linked') finish(next)
  }

  function finish({ serviceUserId = '', linkCode }: AuthStep) {
    setScreen({ name: 'linked' })
    const proof = linkCode !== undefined && { linkCode }
    const echo = state !== undefined && { state }
    post({ type: 'SERVICE_AUTH_SUCCESS', serviceUserId, ...proof, ...echo })
  }

  const isPassing = screen.name === 'linked' || (data.hasPasskeys && !Passkey)
  return <Frame isPassing={isPassing}>{renderScreen()}</Frame>

  function renderScreen() {
    const toLogIn = (notice?: string) => setScreen({ name: 'logIn', notice })
    const shared = { words, email, setEmail, follow, toLogIn }
    const form = { ...shared, done: follow, back: () => toLogIn() }
    switch (screen.name) {
      case 'logIn':
        return (
          <LogInForm
            {...form}
            lead={words.logIn.lead(data.appName)}
            notice={screen.notice}
            send={(input) => begin({ ...input, send: () => calls.logIn({ ...app, ...input }) })}
            toForgot={data.hasMailer && (() => setScreen({ name: 'forgot' }))}
          >
            {Passkey && <Passkey app={app} done={follow} />}
            <ToSignUp onClick={() => setScreen({ name: 'signUp' })} />
          </LogInForm>
        )
      case 'signUp':
        return (
          <SignUpForm
            {...form}
            passwordMin={data.passwordMin}
            lead={words.signUp.lead(data.appName)}
            note={<ConsentList title={words.signUp.consent(data.appName)} />}
            send={(fields) => begin({ ...fields, send: () => calls.signUp({ ...app, ...fields }) })}
            toLogIn={form.back}
          />
        )
      case 'forgot':
        return <ForgotForm {...form} send={(address) => calls.forgot({ ...app, email: address })} />
      case 'consent':
        return <Consent {...shared} ticket={screen.ticket} firstName={screen.firstName} />
      case 'verify':
        return <VerifyEmail {...shared} ticket={screen.ticket} first={screen.first} />
      case 'linked':
        return <Linked />
    }
  }
}

function ToSignUp({ onClick }: { onClick: () => void }) {
  const { words } = usePage()
  return (
    <p class={`${signIn.other} ${base.muted}`}>
      {words.logIn.other} <TextButton onClick={onClick}>{words.logIn.signUp}</TextButton>
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
