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
  const { words, call } = usePage()
  const texts = words.passkeys
  let called = ''
  const { errors, isBusy, formProps } = useForm({
    check: ({ name }) => ({ name: name?.trim() ? '' : texts.nameMissing }),
    send: ({ name = '' }) => {
      called = name.trim()
      return call('POST /api/account/passkeys/rename', { id: passkey.id, name: called })
    },
    explain: (result) => {
      const refused = { ...words.refused, name: texts.nameRefused }
      return explainRefusal(result, { ...words, refused }, ['name'])
    },
    done: () => void onDone(texts.wasRenamed(called)),
  })
  return (
    <Dialog title={texts.renameNamed(passkey.name)} isBusy={isBusy} onClose={onClose}>
      <form class={styles.form} {...formProps}>
        <FormError text={errors['form']} />
        <Field
          name="name"
          label={texts.name}
          hint={texts.nameHint}
          autoComplete="off"
          value={passkey.name}
          error={errors['name']}
        />
        <DialogActions cancel={words.cancel} submit={words.save} isBusy={isBusy} />
      </form>
    </Dialog>
  )
}
