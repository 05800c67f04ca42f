import { useState } from 'preact/hooks'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FormFault } from '../../ui/notice.tsx'
import { useForm } from '../../ui/use-form.ts'
import type { Person } from '../calls.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { faultOfReason, ReasonField } from '../kit/form-parts.tsx'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import * as forms from '../kit/forms.module.css'

interface AllowDialogProps {
  person: Person
  hold: Person['holds'][number]
  reload: () => Promise<void>
  onClose: () => void
}

/** The app may capture a hold that the report of the person suspended. */
export function AllowDialog({ person, hold, reload, onClose }: AllowDialogProps) {
  const { call, money } = usePage()
  const texts = words.holds
  const [reason, setReason] = useState('')
  const { faults, isBusy, formProps } = useForm({
    check: () => ({ reason: faultOfReason(reason) }),
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
    <Dialog title={texts.allowTitle(amount, hold.appName)} isBusy={isBusy} onClose={onClose}>
      <p>{texts.allowText}</p>
      <form class={forms.form} {...formProps}>
        <FormFault text={faults['form']} />
        <ReasonField value={reason} error={faults['reason']} onChange={setReason} />
        <DialogActions cancel={words.cancel} submit={texts.allow} isBusy={isBusy} />
      </form>
    </Dialog>
  )
}
