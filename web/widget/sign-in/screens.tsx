/** The screens after the login or sign-up form, up to the link with the app. */
import { Button } from '../../ui/button.tsx'
import { explainRefusal } from '../../ui/explain-refusal.ts'
import { SignInForm } from '../../ui/sign-in/sign-in-form.tsx'
import { useForm } from '../../ui/use-form.ts'
import { call } from '../calls.ts'
import { usePage } from '../page-context.ts'
import { CheckIcon } from '../../ui/icons.tsx'
import { CodeForm } from '../../ui/sign-in/code-form.tsx'
import { Spinner } from '../../ui/placeholder.tsx'
import { StatusScreen } from '../../ui/status-screen.tsx'
import type { AuthStep } from '@coffer/contract/widget/widget'
import type { Result } from '../../ui/request.ts'
import * as base from '../../ui/base.module.css'
import * as signIn from '../../ui/sign-in/sign-in.module.css'

/** The request that led to the current step. Sent again, it causes a new code. */
export interface FirstRequest {
  email: string
  send: () => Promise<Result<AuthStep>>
}

/** The props of every sign-in screen. */
export interface ScreenProps {
  email: string
  setEmail: (email: string) => void
  /** Shows the screen of the next step. */
  showStep: (step: AuthStep) => void
  toLogIn: (notice?: string) => void
}

interface ConsentProps extends ScreenProps {
  ticket: string
  firstName: string
}

export function Consent({ ticket, firstName, showStep, toLogIn }: ConsentProps) {
  const { messages, data } = usePage()
  const form = useForm({
    send: async () => {
      const result = await call('POST /api/widget/auth/agree', { ticket })
      const isExpired = !result.ok && !result.offline && result.code === 'LOGIN_REQUIRED'
      if (isExpired) toLogIn(messages.errors.LOGIN_REQUIRED)
      return result
    },
    explain: (result) => explainRefusal(result, messages),
    done: showStep,
  })
  const { lead, leadNameless } = messages.consent
  return (
    <SignInForm
      form={form}
      title={messages.consent.title(data.appName)}
      lead={firstName ? lead(firstName) : leadNameless}
      submit={messages.consent.agree}
      end={
        <Button kind="secondary" onClick={() => toLogIn(messages.logIn.declined(data.appName))}>
          {messages.consent.notNow}
        </Button>
      }
    >
      <ConsentList />
      <div class={`${signIn.small} ${base.muted}`}>
        <p>{messages.consent.cannot}</p>
        <p>{messages.consent.undo}</p>
      </div>
    </SignInForm>
  )
}

/** What the app can do once it is connected. */
export function ConsentList({ title }: { title?: string }) {
  const { canSee, canCharge } = usePage().messages.consent
  return (
    <>
      {title && <p>{title}</p>}
      <ul class={signIn.list}>
        {[canSee, canCharge].map((text) => (
          <li key={text}>
            <CheckIcon />
            {text}
          </li>
        ))}
      </ul>
    </>
  )
}

interface VerifyEmailProps extends ScreenProps {
  ticket: string
  first: FirstRequest
}

export function VerifyEmail({ ticket, first, showStep, toLogIn }: VerifyEmailProps) {
  const { messages } = usePage()
  return (
    <CodeForm
      messages={messages}
      email={first.email}
      send={(code) => call('POST /api/widget/auth/verify', { ticket, code })}
      done={showStep}
      resend={first.send}
      onResent={showStep}
      back={() => toLogIn()}
    />
  )
}

export function Linked() {
  const { messages, data } = usePage()
  return (
    <StatusScreen
      isGood
      icon={<CheckIcon />}
      title={messages.linked.title}
      text={messages.linked.text(data.appName)}
    >
      <Spinner />
      <p class={`${signIn.small} ${base.muted}`}>{messages.linked.hint(data.appName)}</p>
    </StatusScreen>
  )
}
