import { Field } from '../../ui/field.tsx'
import { useForm } from '../../ui/use-form.ts'
import { FormError } from '../../ui/notice.tsx'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import { explainRefusal } from '../explain-refusal.ts'
import { usePage } from '../page-context.ts'
import { addPasskey } from './passkey.tsx'
import * as base from '../../ui/base.module.css'
import * as forms from '../kit/forms.module.css'

interface AddPasskeyProps {
  onClose: () => void
  onDone: (text: string) => Promise<void>
}

export function AddPasskey({ onClose, onDone }: AddPasskeyProps) {
  const { call } = usePage()
  const { errors, isBusy, formProps } = useForm({
    check: ({ name }) => ({ name: name?.trim() ? '' : 'Enter a name.' }),
    async send({ name = '' }) {
      const called = name.trim()
      const result = await addPasskey(call, called)
      return result.ok ? { ok: true, data: called } : result
    },
    explain: (result) => explainRefusal(result, ['name']),
    done: (called) => void onDone(`Passkey added: ${called}.`),
  })
  return (
    <Dialog title="Add a passkey" isBusy={isBusy} onClose={onClose}>
      <p class={base.muted}>
        Your browser will ask you where to save the passkey and to unlock it.
      </p>
      <form class={forms.form} {...formProps}>
        <FormError text={errors['form']} />
        <Field
          name="name"
          label="Name"
          hint="A name that you will recognize, such as “Work laptop” or “Phone”."
          autoComplete="off"
          error={errors['name']}
        />
        <DialogActions cancel="Cancel" submit="Continue" isBusy={isBusy} />
      </form>
    </Dialog>
  )
}
