import { useState } from 'preact/hooks'
import { useForm } from '../../ui/use-form.ts'
import { FormError } from '../../ui/notice.tsx'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import type { Person } from '../calls.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { checkReason, ReasonField } from '../kit/form-parts.tsx'
import { usePage } from '../page-context.ts'
import { nameOf } from '../kit/links.tsx'
import * as forms from '../kit/forms.module.css'
import * as parts from '../kit/parts.module.css'

const EFFECTS = [
  'debits by every client app are refused with WALLET_INACTIVE',
  'no new top-up can be started',
  'incoming money is still credited: paid top-ups, credits, bonuses',
]

interface FreezeDialogProps {
  person: Person
  onClose: () => void
  onDone: (text: string) => Promise<void>
}

export function FreezeDialog({ person, onClose, onDone }: FreezeDialogProps) {
  const { call } = usePage()
  // The dialog keeps its question while the page reloads its data.
  const isFrozen = person.isActive
  const [reason, setReason] = useState('')
  const { errors, isBusy, formProps } = useForm({
    check: () => ({ reason: checkReason(reason) }),
    send: () =>
      call('POST /api/admin/people/freeze', { id: person.id, isFrozen, reason: reason.trim() }),
    explain: (result) => explainRefusal(result, ['reason']),
    done: () => void onDone(isFrozen ? 'The wallet is frozen.' : 'The wallet is active again.'),
  })
  const name = nameOf(person)
  return (
    <Dialog
      title={isFrozen ? `Freeze the wallet of ${name}?` : `Unfreeze the wallet of ${name}?`}
      isBusy={isBusy}
      isDestructive={isFrozen}
      onClose={onClose}
    >
      <p>
        {isFrozen
          ? 'Immediately, and until an operator unfreezes it:'
          : 'Debits and new top-ups work again immediately. Operations that were refused stay refused.'}
      </p>
      {isFrozen && (
        <ul class={parts.bullets}>
          {EFFECTS.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <form class={forms.form} {...formProps}>
        <FormError text={errors['form']} />
        <ReasonField value={reason} error={errors['reason']} onChange={setReason} />
        <DialogActions cancel="Cancel" submit={isFrozen ? 'Freeze' : 'Unfreeze'} isBusy={isBusy} />
      </form>
    </Dialog>
  )
}
