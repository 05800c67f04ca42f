import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { useForm } from '../../ui/use-form.ts'
import { Done, FormError } from '../../ui/notice.tsx'
import { explainWrongPassword } from '../../ui/explain-refusal.ts'
import { checkNewPassword, NewPasswordField } from '../../ui/sign-in/new-password-field.tsx'
import { UserName } from '../../ui/field.tsx'
import { CurrentPasswordField } from '../form-parts.tsx'
import { usePage, type SectionProps } from '../page-context.ts'
import * as styles from './settings.module.css'

export function PasswordPart({ account, reload }: SectionProps) {
  const { messages } = usePage()
  const [count, setCount] = useState(0)
  return (
    <>
      {count > 0 && <Done key={count} text={messages.profile.passwordChanged} takesFocus />}
      <PasswordForm
        key={count}
        email={account.email}
        done={() => {
          setCount(count + 1)
          void reload()
        }}
      />
    </>
  )
}

function PasswordForm({ email, done }: { email: string; done: () => void }) {
  const { messages, data, call } = usePage()
  const { errors, isBusy, formProps } = useForm({
    check: ({ password, newPassword }) => ({
      password: password ? '' : messages.fieldErrors.password,
      newPassword: checkNewPassword(newPassword, data.passwordMin, messages),
    }),
    send: ({ password = '', newPassword = '' }) =>
      call('POST /api/account/password', { password, newPassword }),
    explain: (result) => explainWrongPassword(result, messages, ['password', 'newPassword']),
    done,
  })
  return (
    <form class={styles.form} {...formProps}>
      <UserName email={email} />
      <FormError text={errors['form']} />
      <CurrentPasswordField label={messages.fields.currentPassword} error={errors['password']} />
      <NewPasswordField
        messages={messages}
        passwordMin={data.passwordMin}
        name="newPassword"
        label={messages.fields.newPassword}
        error={errors['newPassword']}
      />
      <div class={styles.formEnd}>
        <Button kind="secondary" type="submit" isBusy={isBusy}>
          {messages.profile.passwordSubmit}
        </Button>
      </div>
    </form>
  )
}
