import { useContext, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { PasswordField, UserName } from '../../ui/field.tsx'
import { Notice, FormError, Done } from '../../ui/notice.tsx'
import { checkNewPassword } from '../../ui/sign-in/new-password-field.tsx'
import { useForm } from '../../ui/use-form.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { OperatorContext } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import * as base from '../../ui/base.module.css'
import * as forms from '../kit/forms.module.css'
import * as parts from '../kit/parts.module.css'

export function OwnPassword({ reload }: { reload: () => Promise<void> }) {
  const { hasInitialPassword } = useContext(OperatorContext)
  const [count, setCount] = useState(0)
  return (
    <section class={parts.part}>
      <h2>Password</h2>
      <p class={`${base.muted} ${parts.partLead}`}>
        Changing your password logs you out on all other devices.
      </p>
      {hasInitialPassword && (
        <div class={forms.formWide}>
          <Notice kind="warning">
            You are using your initial password, and the operator who added you knows it. Choose
            your own.
          </Notice>
        </div>
      )}
      {count > 0 && (
        <Done
          key={count}
          text="Your password was changed. You are logged out on all other devices."
          takesFocus
        />
      )}
      <PasswordForm
        key={count}
        done={() => {
          setCount(count + 1)
          void reload()
        }}
      />
    </section>
  )
}

function PasswordForm({ done }: { done: () => void }) {
  const { call, data } = usePage()
  const { email } = useContext(OperatorContext)
  const { errors, isBusy, formProps } = useForm({
    check: ({ newPassword }) => ({
      newPassword: checkNewPassword(newPassword, data.passwordMin, {
        passwordTooShort: (min) => `Use at least ${min} characters.`,
      }),
    }),
    send: ({ newPassword = '' }) => call('POST /api/admin/sign-in/password', { newPassword }),
    explain: (result) => explainRefusal(result, ['newPassword']),
    done,
  })
  return (
    <form class={`${forms.form} ${forms.formWide}`} {...formProps}>
      <UserName email={email} />
      <FormError text={errors['form']} />
      <PasswordField
        name="newPassword"
        label="New password"
        hint={`At least ${data.passwordMin} characters. A few words that only you would combine work well.`}
        showLabel="Show password"
        autoComplete="new-password"
        error={errors['newPassword']}
      />
      <div class={forms.formEnd}>
        <Button kind="secondary" type="submit" isBusy={isBusy}>
          Change password
        </Button>
      </div>
    </form>
  )
}

/** Shown on every page until the operator has chosen a password. */
export function InitialPasswordNotice() {
  const { hasInitialPassword } = useContext(OperatorContext)
  if (!hasInitialPassword) return null
  return (
    <div class={parts.contentNotice}>
      <Notice kind="warning">
        You are using your initial password. <Link to={paths.me}>Choose your own password</Link>
      </Notice>
    </div>
  )
}
