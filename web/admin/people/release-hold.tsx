import { useRef, useState } from 'preact/hooks'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/notice.tsx'
import { useForm } from '../../ui/use-form.ts'
import type { GrantOutcome, Person } from '../calls.ts'
import { notifyGrantsChanged } from '../kit/approvals-count.tsx'
import { checkReason, ReasonField } from '../kit/form-parts.tsx'
import { explainGrant, isUnknown } from '../kit/explain-grant.ts'
import { GrantResult } from '../kit/grant-result.tsx'
import { usePage } from '../page-context.ts'
import { SECOND_OPERATOR_HINT } from '../kit/grant-dialog.tsx'
import * as base from '../../ui/base.module.css'
import * as forms from '../kit/forms.module.css'
import * as parts from '../kit/parts.module.css'

interface ReleaseDialogProps {
  person: Person
  hold: Person['holds'][number]
  reload: () => Promise<void>
  onClose: () => void
}

export function ReleaseDialog({ person, hold, reload, onClose }: ReleaseDialogProps) {
  const [outcome, setOutcome] = useState<GrantOutcome | null>(null)
  function close() {
    onClose()
    if (outcome) void reload()
  }
  if (outcome) return <GrantResult outcome={outcome} onClose={close} />
  return <ReleaseForm person={person} hold={hold} onClose={close} onDone={finish} />

  function finish(next: GrantOutcome) {
    setOutcome(next)
    notifyGrantsChanged()
  }
}

interface ReleaseFormProps extends Omit<ReleaseDialogProps, 'reload'> {
  onDone: (outcome: GrantOutcome) => void
}

function ReleaseForm({ person, hold, onClose, onDone }: ReleaseFormProps) {
  const { call, money } = usePage()
  const [reason, setReason] = useState('')
  const [wasLost, setWasLost] = useState(false)
  const id = useRef(crypto.randomUUID())
  const { errors, isBusy, formProps } = useForm({
    check: () => ({ reason: checkReason(reason) }),
    send: () =>
      call('POST /api/admin/grants/release-hold', {
        id: id.current,
        personId: person.id,
        hold: hold.id,
        reason: reason.trim(),
      }),
    explain(result) {
      // If the outcome is unknown, only the same id with the same content is safe to send again.
      setWasLost(isUnknown(result))
      if (!isUnknown(result)) id.current = crypto.randomUUID()
      return explainGrant(result)
    },
    done: onDone,
  })
  return (
    <Dialog
      title={`Release ${money.plain(hold.held, person.currency)}, held by ${hold.appName}?`}
      isBusy={isBusy}
      isDestructive
      onClose={onClose}
    >
      <p>The money goes back to the wallet, and pays debt first. The app can no longer take it.</p>
      <form class={forms.form} {...formProps}>
        <fieldset class={forms.plain} disabled={wasLost}>
          <ReasonField value={reason} error={errors['reason']} onChange={setReason} />
        </fieldset>
        <p class={`${base.muted} ${parts.small}`}>{SECOND_OPERATOR_HINT}</p>
        <FormError text={errors['form']} />
        <DialogActions
          cancel="Cancel"
          submit={wasLost ? 'Try again' : 'Release hold'}
          isBusy={isBusy}
        />
      </form>
    </Dialog>
  )
}
