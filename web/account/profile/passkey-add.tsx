import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import { explainWrongPassword } from '../../ui/explain-wrong-password.ts'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/notice.tsx'
import { sendCreated } from '../../ui/passkeys/browser-passkeys.ts'
import { choosePasskeyTexts } from '../../ui/passkeys/messages.ts'
import { useForm } from '../../ui/use-form.ts'
import { UserName } from '../../ui/user-name.tsx'
import { CurrentPasswordField } from '../form-parts.tsx'
import { usePage } from '../page-context.ts'
import * as styles from './settings.module.css'

interface AddPasskeyProps {
  email: string
  onClose: () => void
  onDone: (text: string) => Promise<void>
}

export function AddPasskey({ email, onClose, onDone }: AddPasskeyProps) {
  const { words, call } = usePage()
  const texts = words.passkeys
  const { errors, isBusy, formProps } = useForm({
    check: ({ name, password }) => ({
      name: name?.trim() ? '' : texts.nameMissing,
      password: password ? '' : words.fieldErrors.password,
    }),
    async send({ name = '', password = '' }) {
      const called = name.trim()
      const result = await sendCreated(
        () => call('POST /api/account/passkeys/new', { password }),
        (passkey) => call('POST /api/account/passkeys', { name: called, passkey }),
        words.brand,
        choosePasskeyTexts(words),
      )
      return result.ok ? { ok: true, data: called } : result
    },
    explain: (result) => {
      const refused = { ...words.refused, name: texts.nameRefused }
      return explainWrongPassword(result, { ...words, refused }, ['name', 'password'])
    },
    done: (called) => void onDone(texts.wasAdded(called)),
  })
  return (
    <Dialog title={texts.add} isBusy={isBusy} onClose={onClose}>
      <p>{texts.addText}</p>
      <form class={styles.form} {...formProps}>
        <UserName email={email} />
        <FormError text={errors['form']} />
        <Field
          name="name"
          label={texts.name}
          hint={texts.nameHint}
          autoComplete="off"
          error={errors['name']}
        />
        <CurrentPasswordField label={words.fields.password} error={errors['password']} />
        <DialogActions cancel={words.cancel} submit={texts.continue} isBusy={isBusy} />
      </form>
    </Dialog>
  )
}
