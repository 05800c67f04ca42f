import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import { explainRefusal } from '../../ui/explain-refusal.ts'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/notice.tsx'
import { useForm } from '../../ui/use-form.ts'
import { usePage } from '../page-context.ts'
import type { Passkey } from '../calls.ts'
import * as styles from './settings.module.css'

interface RenamePasskeyProps {
  passkey: Passkey
  onClose: () => void
  onDone: (text: string) => Promise<void>
}

export function RenamePasskey({ passkey, onClose, onDone }: RenamePasskeyProps) {
  const { messages, call } = usePage()
  let called = ''
  const { errors, isBusy, formProps } = useForm({
    check: ({ name }) => ({ name: name?.trim() ? '' : messages.passkeys.nameMissing }),
    send: ({ name = '' }) => {
      called = name.trim()
      return call('POST /api/account/passkeys/rename', { id: passkey.id, name: called })
    },
    explain: (result) => {
      const refused = { ...messages.refused, name: messages.passkeys.nameRefused }
      return explainRefusal(result, { ...messages, refused }, ['name'])
    },
    done: () => void onDone(messages.passkeys.wasRenamed(called)),
  })
  return (
    <Dialog title={messages.passkeys.renameNamed(passkey.name)} isBusy={isBusy} onClose={onClose}>
      <form class={styles.form} {...formProps}>
        <FormError text={errors['form']} />
        <Field
          name="name"
          label={messages.passkeys.name}
          hint={messages.passkeys.nameHint}
          autoComplete="off"
          value={passkey.name}
          error={errors['name']}
        />
        <DialogActions cancel={messages.cancel} submit={messages.save} isBusy={isBusy} />
      </form>
    </Dialog>
  )
}
