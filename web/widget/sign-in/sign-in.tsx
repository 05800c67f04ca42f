/** The way of a person without a session: from the door to the link. */
import type { AuthStep } from '@coffer/contract/widget-api'
import { useEffect, useState } from 'preact/hooks'
import { useHeadingFocus } from '../../ui/use-heading-focus.ts'
import type { SignUpInput } from '../calls.ts'
import { Consent } from './consent.tsx'
import { ForgotPassword } from './forgot.tsx'
import { Linked } from './linked.tsx'
import { LogIn } from './log-in.tsx'
import { ResetPassword } from './reset.tsx'
import { SignUp } from './sign-up.tsx'
import { VerifyEmail } from './verify.tsx'
import { Frame } from '../frame.tsx'
import { usePage } from '../page-context.ts'
import './sign-in.css'

type Screen =
  | { name: 'logIn'; notice?: string }
  | { name: 'signUp' }
  | { name: 'forgot' }
  | { name: 'consent'; ticket: string; firstName: string }
  | { name: 'verify'; ticket: string; input: SignUpInput }
  | { name: 'reset'; ticket: string }
  | { name: 'linked' }

export function Auth({ state }: { state: string | undefined }) {
  const { post } = usePage()
  const [screen, setScreen] = useState<Screen>({ name: 'logIn' })
  const [email, setEmail] = useState('')
  useHeadingFocus(screen.name)
  useEffect(() => post({ type: 'SERVICE_AUTH_REQUIRED', reason: 'no_session' }), [])

  /** `input` is what a new code would be asked for with. */
  function follow(step: AuthStep, input?: SignUpInput) {
    const { ticket = '', firstName = '' } = step
    if (step.step === 'consent') setScreen({ name: 'consent', ticket, firstName })
    if (step.step === 'verify' && input) setScreen({ name: 'verify', ticket, input })
    if (step.step === 'reset') setScreen({ name: 'reset', ticket })
    if (step.step === 'linked') finish(step)
  }

  function finish({ serviceUserId = '', linkCode = '' }: AuthStep) {
    setScreen({ name: 'linked' })
    const echo = state === undefined ? {} : { state }
    post({ type: 'SERVICE_AUTH_SUCCESS', serviceUserId, linkCode, ...echo })
  }

  return <Frame>{renderScreen()}</Frame>

  function renderScreen() {
    const toLogIn = (notice?: string) =>
      setScreen({ name: 'logIn', ...(notice !== undefined && { notice }) })
    const shared = { email, setEmail, follow, toLogIn }
    switch (screen.name) {
      case 'logIn':
        return (
          <LogIn
            {...shared}
            notice={screen.notice}
            toSignUp={() => setScreen({ name: 'signUp' })}
            toForgot={() => setScreen({ name: 'forgot' })}
          />
        )
      case 'signUp':
        return <SignUp {...shared} />
      case 'forgot':
        return <ForgotPassword {...shared} />
      case 'consent':
        return <Consent {...shared} ticket={screen.ticket} firstName={screen.firstName} />
      case 'verify':
        return <VerifyEmail {...shared} ticket={screen.ticket} input={screen.input} />
      case 'reset':
        return <ResetPassword {...shared} ticket={screen.ticket} />
      case 'linked':
        return <Linked />
    }
  }
}
