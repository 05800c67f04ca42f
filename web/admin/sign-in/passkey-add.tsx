import { Field } from '../../ui/field.tsx'
import { useForm } from '../../ui/use-form.ts'
import { FormFault } from '../../ui/notice.tsx'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import { explainRefusal } from '../explain-refusal.ts'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import { addPasskey } from './passkey.ts'
import * as base from '../../ui/base.module.css'
import * as forms from '../kit/forms.module.css'

const texts = words.addPasskey

interface AddPasskeyProps {
  onClose: () => void
  onDone: (text: string) => Promise<void>
}

export function AddPasskey({ onClose, onDone }: AddPasskeyProps) {
  const { call } = usePage()
  const { faults, isBusy, formProps } = useForm({
    check: ({ name }) => ({ name: name?.trim() ? '' : texts.missing }),
    async send({ name = '' }) {
      const called = name.trim()
      const result = await addPasskey(call, called)
      return result.ok ? { ok: true, data: called } : result
    },
    explain: (result) => explainRefusal(result, ['name']),
    done: (called) => void onDone(words.passkeys.added(called)),
  })
  return (
    <Dialog title={texts.title} isBusy={isBusy} onClose={onClose}>
      <p class={base.muted}>{texts.text}</p>
      <form class={forms.form} {...formProps}>
        <FormFault text={faults['form']} />
        <Field
          name="name"
          label={texts.name}
          hint={texts.hint}
          autoComplete="off"
          error={faults['name']}
        />
        <DialogActions cancel={words.cancel} submit={texts.submit} isBusy={isBusy} />
      </form>
    </Dialog>
  )
}
