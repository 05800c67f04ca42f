import { useState } from 'preact/hooks'
import { useForm } from '../../ui/use-form.ts'
import { FormFault } from '../../ui/notice.tsx'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import type { Person } from '../calls.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { faultOfReason, ReasonField } from '../kit/form-parts.tsx'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import { nameOf } from '../kit/person-name.ts'
import * as forms from '../kit/forms.module.css'
import * as parts from '../kit/parts.module.css'

interface FreezeDialogProps {
  person: Person
  onClose: () => void
  onDone: (text: string) => Promise<void>
}

export function FreezeDialog({ person, onClose, onDone }: FreezeDialogProps) {
  const { call } = usePage()
  const texts = words.freeze
  // The dialog keeps its question while the page reloads its data.
  const isFrozen = person.isActive
  const [reason, setReason] = useState('')
  const { faults, isBusy, formProps } = useForm({
    check: () => ({ reason: faultOfReason(reason) }),
    send: () =>
      call('POST /api/admin/people/freeze', { id: person.id, isFrozen, reason: reason.trim() }),
    explain: (result) => explainRefusal(result, ['reason']),
    done: () => void onDone(isFrozen ? texts.done : texts.offDone),
  })
  const name = nameOf(person)
  return (
    <Dialog
      title={isFrozen ? texts.title(name) : texts.offTitle(name)}
      isBusy={isBusy}
      isDanger={isFrozen}
      onClose={onClose}
    >
      <p>{isFrozen ? texts.text : texts.off}</p>
      {isFrozen && (
        <ul class={parts.bullets}>
          {texts.effects.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <form class={forms.form} {...formProps}>
        <FormFault text={faults['form']} />
        <ReasonField value={reason} error={faults['reason']} onChange={setReason} />
        <DialogActions
          cancel={words.cancel}
          submit={isFrozen ? texts.submit : texts.offSubmit}
          isBusy={isBusy}
        />
      </form>
    </Dialog>
  )
}
