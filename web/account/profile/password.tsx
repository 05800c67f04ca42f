import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { useForm } from '../../ui/use-form.ts'
import { countCharacters } from '../../ui/field.tsx'
import { Done } from '../../ui/done.tsx'
import { FormFault } from '../../ui/notice.tsx'
import { explainRefusal } from '../explain-refusal.ts'
import { CurrentPasswordField, NewPasswordField, UserName } from '../form-parts.tsx'
import { usePage } from '../page-context.ts'
import type { SectionProps } from '../shell.tsx'

export function PasswordPart({ account, reload }: SectionProps) {
  const { words } = usePage()
  const [count, setCount] = useState(0)
  return (
    <>
      {count > 0 && <Done key={count} text={words.profile.passwordChanged} takesFocus />}
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
  const { words, data, calls } = usePage()
  const { faults, isBusy, formProps } = useForm({
    check: ({ password, newPassword = '' }) => ({
      password: password ? '' : words.faults.password,
      newPassword:
        countCharacters(newPassword) < data.passwordMin
          ? words.passwordTooShort(data.passwordMin)
          : '',
    }),
    send: ({ password = '', newPassword = '' }) => calls.changePassword({ password, newPassword }),
    explain: (result) =>
      explainRefusal(result, words, {
        fields: ['password', 'newPassword'],
        newPassword: 'newPassword',
        isKnown: true,
      }),
    done,
  })
  return (
    <form class="form" {...formProps}>
      <UserName email={email} />
      <FormFault text={faults['form']} />
      <CurrentPasswordField
        name="password"
        label={words.fields.currentPassword}
        error={faults['password']}
      />
      <NewPasswordField
        name="newPassword"
        label={words.fields.newPassword}
        error={faults['newPassword']}
      />
      <div class="form-end">
        <Button kind="secondary" type="submit" isBusy={isBusy}>
          {words.profile.passwordSubmit}
        </Button>
      </div>
    </form>
  )
}
