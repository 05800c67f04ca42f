import { Button } from '../../ui/button.tsx'
import { CheckIcon } from '../../ui/icons.tsx'
import { useForm } from '../../ui/use-form.ts'
import { FormFault } from '../../ui/notice.tsx'
import { AuthHead, type AuthScreenProps } from './form.tsx'
import { calls } from '../calls.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { usePage } from '../page-context.ts'

interface ConsentProps extends AuthScreenProps {
  ticket: string
  firstName: string
}

export function Consent({ ticket, firstName, follow, toLogIn }: ConsentProps) {
  const { words, data } = usePage()
  const { faults, isBusy, formProps } = useForm({
    send: async () => {
      const result = await calls.agree({ ticket })
      const isTooLate = !result.ok && !result.offline && result.code === 'LOGIN_REQUIRED'
      if (isTooLate) toLogIn(words.errors.LOGIN_REQUIRED)
      return result
    },
    explain: (result) => explainRefusal(result, words),
    done: (step) => follow(step),
  })
  const { lead, leadNameless, canSee, canCharge } = words.consent
  return (
    <form class="auth appear" {...formProps}>
      <AuthHead title={words.consent.title(data.appName)}>
        {firstName ? lead(firstName) : leadNameless}
      </AuthHead>
      <FormFault text={faults['form']} />
      <ul class="consent-list">
        {[canSee, canCharge].map((text) => (
          <li key={text}>
            <CheckIcon />
            {text}
          </li>
        ))}
      </ul>
      <div class="auth-small muted">
        <p>{words.consent.cannot}</p>
        <p>{words.consent.undo}</p>
      </div>
      <div class="auth-choice">
        <Button type="submit" isBusy={isBusy}>
          {words.consent.agree}
        </Button>
        <Button kind="secondary" onClick={() => toLogIn(words.logIn.declined(data.appName))}>
          {words.consent.notNow}
        </Button>
      </div>
    </form>
  )
}
