import { useState } from 'preact/hooks'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/notice.tsx'
import { useForm } from '../../ui/use-form.ts'
import type { Person } from '../calls.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { checkReason, ReasonField } from '../kit/form-parts.tsx'
import { usePage } from '../page-context.ts'
import * as forms from '../kit/forms.module.css'

interface AllowDialogProps {
  person: Person
  hold: Person['holds'][number]
  reload: () => Promise<void>
  onClose: () => void
}

/** Lets the app capture a hold that a report of the person suspended. */
export function AllowDialog({ person, hold, reload, onClose }: AllowDialogProps) {
  const { call, money } = usePage()
  const [reason, setReason] = useState('')
  const { errors, isBusy, formProps } = useForm({
    check: () => ({ reason: checkReason(reason) }),
    send: () =>
      call('POST /api/admin/people/allow-hold', {
        id: person.id,
        hold: hold.id,
        reason: reason.trim(),
      }),
    explain: (result) => explainRefusal(result, ['reason']),
    done: () => void reload().then(onClose),
  })
  const amount = money.plain(hold.held, person.currency)
  return (
    <Dialog title={`Allow ${hold.appName} to capture ${amount}?`} isBusy={isBusy} onClose={onClose}>
      <p>
        The person reported that somebody else used the account, so captures of this hold are
        refused. Check with the person and the app first. To return the money, release the hold
        instead.
      </p>
      <form class={forms.form} {...formProps}>
        <FormError text={errors['form']} />
        <ReasonField value={reason} error={errors['reason']} onChange={setReason} />
        <DialogActions cancel="Cancel" submit="Allow capture" isBusy={isBusy} />
      </form>
    </Dialog>
  )
}
