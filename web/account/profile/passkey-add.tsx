import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import { explainWrongPassword } from '../../ui/explain-refusal.ts'
import { Field, UserName } from '../../ui/field.tsx'
import { FormError } from '../../ui/notice.tsx'
import { sendCreated } from '../../ui/passkeys/browser-passkeys.ts'
import { choosePasskeyMessages } from '../../ui/passkeys/messages.ts'
import { useForm } from '../../ui/use-form.ts'
import { CurrentPasswordField } from '../form-parts.tsx'
import { usePage } from '../page-context.ts'
import * as styles from './settings.module.css'

interface AddPasskeyProps {
  email: string
  onClose: () => void
  onDone: (text: string) => Promise<void>
}

export function AddPasskey({ email, onClose, onDone }: AddPasskeyProps) {
  const { messages, call } = usePage()
  const { errors, isBusy, formProps } = useForm({
    check: ({ name, password }) => ({
      name: name?.trim() ? '' : messages.passkeys.nameMissing,
      password: password ? '' : messages.fieldErrors.password,
    }),
    async send({ name = '', password = '' }) {
      const called = name.trim()
      const result = await sendCreated(
        () => call('POST /api/account/passkeys/new', { password }),
        (passkey) => call('POST /api/account/passkeys', { name: called, passkey }),
        messages.brand,
        choosePasskeyMessages(messages),
      )
      return result.ok ? { ok: true, data: called } : result
    },
    explain: (result) => {
      const refused = { ...messages.refused, name: messages.passkeys.nameRefused }
      return explainWrongPassword(result, { ...messages, refused }, ['name', 'password'])
    },
    done: (called) => void onDone(messages.passkeys.wasAdded(called)),
  })
  return (
    <Dialog title={messages.passkeys.add} isBusy={isBusy} onClose={onClose}>
      <p>{messages.passkeys.addText}</p>
      <form class={styles.form} {...formProps}>
        <UserName email={email} />
        <FormError text={errors['form']} />
        <Field
          name="name"
          label={messages.passkeys.name}
          hint={messages.passkeys.nameHint}
          autoComplete="off"
          error={errors['name']}
        />
        <CurrentPasswordField label={messages.fields.password} error={errors['password']} />
        <DialogActions
          cancel={messages.cancel}
          submit={messages.passkeys.continue}
          isBusy={isBusy}
        />
      </form>
    </Dialog>
  )
}
