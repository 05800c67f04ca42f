import { useId, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { useForm } from '../../ui/use-form.ts'
import { FormError } from '../../ui/notice.tsx'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import type { Account } from '../calls.ts'
import { explainWrongPassword } from '../../ui/explain-refusal.ts'
import { UserName } from '../../ui/field.tsx'
import { CurrentPasswordField } from '../form-parts.tsx'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as styles from './settings.module.css'

interface DeletePartProps {
  account: Account
  onDeleted: () => void
}

export function DeletePart({ account, onDeleted }: DeletePartProps) {
  const { messages, money } = usePage()
  const [isAsked, setIsAsked] = useState(false)
  const reasonId = useId()
  const { balance, debt, held, currency, email } = account
  const reasons = [
    balance > 0 && messages.profile.deleteNotEmpty(money.plain(balance, currency)),
    held > 0 && messages.profile.deleteHeld(money.plain(held, currency)),
    debt > 0 && messages.profile.deleteIndebted(money.plain(debt, currency)),
  ].filter(Boolean)
  const isBlocked = reasons.length > 0
  return (
    <div class={styles.form}>
      {isBlocked && <p id={reasonId}>{reasons.join(' ')}</p>}
      <div class={`${styles.formEnd} ${styles.destructive}`}>
        <Button
          kind="secondary"
          isDisabled={isBlocked}
          describedBy={isBlocked ? reasonId : undefined}
          onClick={() => setIsAsked(true)}
        >
          {messages.profile.deleteOpen}
        </Button>
      </div>
      {isAsked && (
        <DeleteDialog email={email} onClose={() => setIsAsked(false)} onDeleted={onDeleted} />
      )}
    </div>
  )
}

interface DeleteDialogProps {
  email: string
  onClose: () => void
  onDeleted: () => void
}

function DeleteDialog({ email, onClose, onDeleted }: DeleteDialogProps) {
  const { messages, call } = usePage()
  const { errors, isBusy, formProps } = useForm({
    check: ({ password }) => ({ password: password ? '' : messages.fieldErrors.password }),
    send: ({ password = '' }) => call('POST /api/account/delete', { password }),
    explain: (result) => explainWrongPassword(result, messages, ['password']),
    done: onDeleted,
  })
  return (
    <Dialog title={messages.profile.deleteTitle} isBusy={isBusy} isDestructive onClose={onClose}>
      <p>{messages.profile.deleteText}</p>
      <form class={styles.form} {...formProps}>
        <UserName email={email} />
        <FormError text={errors['form']} />
        <CurrentPasswordField label={messages.fields.password} error={errors['password']} />
        <p class={base.muted}>{messages.profile.deleteWait}</p>
        <DialogActions
          cancel={messages.cancel}
          submit={messages.profile.deleteSubmit}
          isBusy={isBusy}
        />
      </form>
    </Dialog>
  )
}
