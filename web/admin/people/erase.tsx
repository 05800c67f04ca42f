import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Notice, FormError } from '../../ui/notice.tsx'
import type { Refusal, NoResponse } from '../../ui/request.ts'
import { type Explanation, useForm } from '../../ui/use-form.ts'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import type { Person } from '../calls.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { checkReason, ReasonField } from '../kit/form-parts.tsx'
import { usePage } from '../page-context.ts'
import { nameOf } from '../kit/links.tsx'
import * as base from '../../ui/base.module.css'
import * as dialog from '../../ui/dialog.module.css'
import * as forms from '../kit/forms.module.css'
import * as parts from '../kit/parts.module.css'

const EFFECTS = [
  'name, email, password and logins are deleted',
  'every client app is unlinked, and open card payments are canceled',
  'the wallet and its records are kept without a name',
]

const REFUSAL_MESSAGES: Record<string, string> = {
  ACCOUNT_NOT_EMPTY:
    'The person was not erased: money was received, or a payment is in progress. Reduce the balance to zero and try again. Client apps may already be unlinked.',
  SERVICE_UNAVAILABLE:
    'The person was not erased yet. The account changed in the meantime, or the service is busy. Wait a moment and try again; this is safe.',
  OUTCOME_UNKNOWN:
    'This is taking longer than usual, and the person may still be erased. Reload the page in a minute to find out.',
  PAYMENT_PROVIDER_ERROR:
    'The person was not erased: the card processor did not respond, so an open payment could not be canceled. Try again in a moment.',
}

interface EraseDialogProps {
  person: Person
  reload: () => Promise<void>
  onClose: () => void
  onDone: (text: string) => Promise<void>
}

export function EraseDialog(props: EraseDialogProps) {
  const { money } = usePage()
  const { balance, debt, currency } = props.person
  if (balance > 0)
    return (
      <NotYet
        {...props}
        text={`The balance is ${money.plain(balance, currency)}. Reduce it to zero first, with a refund or a correction.`}
      />
    )
  if (debt > 0)
    return (
      <NotYet
        {...props}
        text={`There is a debt of ${money.plain(debt, currency)}. It must be paid off first, by a top-up or by winning a dispute.`}
      />
    )
  return <Erase {...props} />
}

function NotYet({ person, text, onClose }: EraseDialogProps & { text: string }) {
  return (
    <Dialog title={`Erase ${nameOf(person)}?`} isBusy={false} onClose={onClose}>
      <Notice kind="warning">{text}</Notice>
      <div class={dialog.actions}>
        <Button kind="secondary" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  )
}

function Erase({ person, reload, onClose, onDone }: EraseDialogProps) {
  const { call } = usePage()
  const [reason, setReason] = useState('')
  const { errors, isBusy, formProps } = useForm({
    check: () => ({ reason: checkReason(reason) }),
    async send() {
      const result = await call('POST /api/admin/people/erase', {
        id: person.id,
        reason: reason.trim(),
      })
      // Apps may be unlinked although the person was not erased.
      if (!result.ok) await reload()
      return result
    },
    explain,
    done: () => void onDone('The person was erased.'),
  })
  return (
    <Dialog title={`Erase ${nameOf(person)}?`} isBusy={isBusy} isDestructive onClose={onClose}>
      <p>This cannot be undone:</p>
      <ul class={parts.bullets}>
        {EFFECTS.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <p class={base.muted}>
        Do not enter a name or an email. The audit log keeps the reason forever.
      </p>
      <form class={forms.form} {...formProps}>
        <FormError text={errors['form']} />
        <ReasonField value={reason} error={errors['reason']} onChange={setReason} />
        <p class={isBusy ? base.muted : base.visuallyHidden} role="status">
          {isBusy ? 'This takes about ten seconds while pending payments finish.' : ''}
        </p>
        <DialogActions cancel="Cancel" submit="Erase permanently" isBusy={isBusy} />
      </form>
    </Dialog>
  )
}

function explain(result: Refusal | NoResponse): Explanation {
  const own = result.offline ? undefined : REFUSAL_MESSAGES[result.code ?? '']
  return own === undefined ? explainRefusal(result, ['reason']) : { errors: { form: own } }
}
