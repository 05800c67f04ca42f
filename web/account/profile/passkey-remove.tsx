import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import { explainWrongPassword } from '../../ui/explain-refusal.ts'
import { FormError } from '../../ui/notice.tsx'
import { useForm } from '../../ui/use-form.ts'
import { UserName } from '../../ui/field.tsx'
import { CurrentPasswordField } from '../form-parts.tsx'
import { usePage } from '../page-context.ts'
import type { Passkey } from '../calls.ts'
import * as styles from './settings.module.css'

interface RemovePasskeyProps {
  email: string
  passkey: Passkey
  onClose: () => void
  onDone: (text: string) => Promise<void>
}

export function RemovePasskey({ email, passkey, onClose, onDone }: RemovePasskeyProps) {
  const { messages, call } = usePage()
  const { id, name } = passkey
  const { errors, isBusy, formProps } = useForm({
    check: ({ password }) => ({ password: password ? '' : messages.fieldErrors.password }),
    send: ({ password = '' }) => call('POST /api/account/passkeys/remove', { id, password }),
    explain: (result) => explainWrongPassword(result, messages, ['password']),
    done: () => void onDone(messages.passkeys.wasRemoved(name)),
  })
  return (
    <Dialog
      title={messages.passkeys.removeTitle(name)}
      isBusy={isBusy}
      isDestructive
      onClose={onClose}
    >
      <p>{messages.passkeys.removeText}</p>
      <form class={styles.form} {...formProps}>
        <UserName email={email} />
        <FormError text={errors['form']} />
        <CurrentPasswordField label={messages.fields.password} error={errors['password']} />
        <DialogActions cancel={messages.cancel} submit={messages.passkeys.remove} isBusy={isBusy} />
      </form>
    </Dialog>
  )
}
