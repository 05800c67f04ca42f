import { Button } from '../../ui/button.tsx'
import { explainRefusal } from '../../ui/explain-refusal.ts'
import { SignInForm } from '../../ui/sign-in/sign-in-form.tsx'
import { useForm } from '../../ui/use-form.ts'
import { call } from '../calls.ts'
import { usePage } from '../page-context.ts'
import { ConsentList } from './consent-list.tsx'
import type { ScreenProps } from './screen-props.ts'
import * as base from '../../ui/base.module.css'
import * as signIn from '../../ui/sign-in/sign-in.module.css'

interface ConsentProps extends ScreenProps {
  ticket: string
  firstName: string
}

export function Consent({ ticket, firstName, follow, toLogIn }: ConsentProps) {
  const { messages, data } = usePage()
  const form = useForm({
    send: async () => {
      const result = await call('POST /api/widget/auth/agree', { ticket })
      const isExpired = !result.ok && !result.offline && result.code === 'LOGIN_REQUIRED'
      if (isExpired) toLogIn(messages.errors.LOGIN_REQUIRED)
      return result
    },
    explain: (result) => explainRefusal(result, messages),
    done: follow,
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
