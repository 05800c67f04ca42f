/** Asked before anything dangerous: is it still the same person at this desk? */
import { PasswordField } from '../ui/field.tsx'
import { useForm } from '../ui/use-form.ts'
import { Answers, Dialog } from './dialog.tsx'
import { explainRefusal } from './explain-refusal.ts'
import { faultOfCode, FormFault, SecondFactorField } from './form-parts.tsx'
import { words } from './messages.ts'
import { usePage } from './page-context.ts'

export function ConfirmDialog({ settle }: { settle: (isConfirmed: boolean) => void }) {
  const { calls } = usePage()
  const { faults, isBusy, formProps } = useForm({
    check: ({ password, code }) => ({
      password: password ? '' : words.faults.password,
      code: faultOfCode(code),
    }),
    send: ({ password = '', code = '' }) => calls.confirm({ password, code: code.trim() }),
    explain(result) {
      const isWrong = !result.offline && result.code === 'LOGIN_FAILED'
      if (isWrong) return { faults: { password: words.passwordWrong } }
      return explainRefusal(result, ['password', 'code'])
    },
    done: () => settle(true),
  })
  return (
    <Dialog title={words.confirm.title} isBusy={isBusy} onClose={() => settle(false)}>
      <p class="muted">{words.confirm.text}</p>
      <form class="form" {...formProps}>
        <FormFault text={faults['form']} />
        <PasswordField
          name="password"
          label={words.fields.password}
          showLabel={words.fields.showPassword}
          autoComplete="current-password"
          error={faults['password']}
        />
        <SecondFactorField error={faults['code']} />
        <Answers submit={words.confirm.submit} isBusy={isBusy} />
      </form>
    </Dialog>
  )
}
