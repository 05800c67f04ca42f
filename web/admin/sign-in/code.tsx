import { useForm } from '../../ui/use-form.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { checkCode, SecondFactorField } from '../kit/form-parts.tsx'
import { usePage } from '../page-context.ts'
import { Button, TextButton } from '../../ui/button.tsx'
import { FormError } from '../../ui/notice.tsx'
import { SignInHead } from '../../ui/sign-in/sign-in-form.tsx'
import * as base from '../../ui/base.module.css'
import * as signIn from '../../ui/sign-in/sign-in.module.css'

export interface SecondStepProps {
  ticket: string
  onDone: (recoveryCodes: string[] | undefined) => void
  startAgain: () => void
}

export function useCodeForm({ ticket, onDone }: Pick<SecondStepProps, 'ticket' | 'onDone'>) {
  const { call } = usePage()
  return useForm({
    check: ({ code }) => ({ code: checkCode(code) }),
    send: ({ code = '' }) => call('POST /api/admin/sign-in/code', { ticket, code: code.trim() }),
    explain: (result) => explainRefusal(result, ['code']),
    done: ({ recoveryCodes }) => onDone(recoveryCodes),
  })
}

export function EnterCode({ ticket, onDone, startAgain }: SecondStepProps) {
  const { errors, isBusy, formProps } = useCodeForm({ ticket, onDone })
  return (
    <form class={`${signIn.signIn} ${base.appear}`} {...formProps}>
      <SignInHead title="Enter your code" icon={null}>
        Open your authenticator app and enter the code for this service.
      </SignInHead>
      <FormError text={errors['form']} />
      <SecondFactorField error={errors['code']} />
      <Button type="submit" isBusy={isBusy}>
        Log in
      </Button>
      <TextButton onClick={startAgain}>Start again with the password</TextButton>
    </form>
  )
}
