import { useContext, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { PasswordField } from '../../ui/field.tsx'
import { Notice, FormFault } from '../../ui/notice.tsx'
import { checkNewPassword } from '../../ui/sign-in/new-password-field.tsx'
import { useForm } from '../../ui/use-form.ts'
import { UserName } from '../../ui/user-name.tsx'
import { Done } from '../../ui/done.tsx'
import { explainRefusal } from '../explain-refusal.ts'
import { words } from '../messages.ts'
import { OperatorContext } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as forms from '../kit/forms.module.css'
import * as parts from '../kit/parts.module.css'

const texts = words.ownPassword

export function OwnPassword({ reload }: { reload: () => Promise<void> }) {
  const { hasFirstPassword } = useContext(OperatorContext)
  const [count, setCount] = useState(0)
  return (
    <section class={parts.part}>
      <h2>{texts.title}</h2>
      <p class={`${base.muted} ${parts.partLead}`}>{texts.lead}</p>
      {hasFirstPassword && (
        <div class={forms.formWide}>
          <Notice kind="warning">{texts.first}</Notice>
        </div>
      )}
      {count > 0 && <Done key={count} text={texts.done} takesFocus />}
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
  const { faults, isBusy, formProps } = useForm({
    check: ({ newPassword }) => ({
      newPassword: checkNewPassword(newPassword, data.passwordMin, texts),
    }),
    send: ({ newPassword = '' }) => call('POST /api/admin/sign-in/password', { newPassword }),
    explain: (result) => explainRefusal(result, ['newPassword']),
    done,
  })
  return (
    <form class={`${forms.form} ${forms.formWide}`} {...formProps}>
      <UserName email={email} />
      <FormFault text={faults['form']} />
      <PasswordField
        name="newPassword"
        label={texts.label}
        hint={texts.hint(data.passwordMin)}
        showLabel={words.fields.showPassword}
        autoComplete="new-password"
        error={faults['newPassword']}
      />
      <div class={forms.formEnd}>
        <Button kind="secondary" type="submit" isBusy={isBusy}>
          {texts.submit}
        </Button>
      </div>
    </form>
  )
}
