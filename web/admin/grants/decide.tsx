/** The dialogs to approve, reject or withdraw a request. */
import { useContext, useState } from 'preact/hooks'
import type { MoneyFormat } from '../../ui/format-money.ts'
import { useBusy } from '../../ui/use-busy.ts'
import { useForm } from '../../ui/use-form.ts'
import { FormError } from '../../ui/notice.tsx'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import { showLimit } from '../kit/amounts.ts'
import { Changes, namedAmount, subjectOf } from './parts.tsx'
import type { Grant } from '../calls.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { checkReason, ReasonField } from '../kit/form-parts.tsx'
import { explainGrant } from '../kit/explain-grant.ts'
import { OperatorContext } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as forms from '../kit/forms.module.css'
import * as styles from './grants.module.css'

interface DecideProps {
  grant: Grant
  onDone: (text: string) => Promise<void>
  onClose: () => void
}

export function Approve({ grant, onDone, onClose }: DecideProps) {
  const { call, money } = usePage()
  const [error, setError] = useState('')
  const name = subjectOf(grant)
  const amount = namedAmount(grant, money)
  const isLimit = grant.clientApp !== null
  const isOut = grant.kind === 'correction_out'
  const [isBusy, approve] = useBusy(async () => {
    setError('')
    const result = await call('POST /api/admin/grants/approve', { id: grant.id })
    if (result.ok)
      await onDone(isLimit ? `Approved: ${amount}, ${name}.` : `Posted: ${amount}, ${name}.`)
    else setError(Object.values(explainGrant(result).errors).join(' '))
  })
  return (
    <Dialog title={titleOf(grant, money)} isBusy={isBusy} isDestructive={isOut} onClose={onClose}>
      <p class={styles.grantReason} dir="auto">
        {grant.reason}
      </p>
      <Changes grant={grant} />
      <p class={base.muted}>{explainApproval(grant)}</p>
      <FormError text={error} />
      <DialogActions cancel="Cancel" submit="Approve" isBusy={isBusy} onSubmit={approve} />
    </Dialog>
  )
}

function explainApproval({ kind, clientApp, proposedBy }: Grant): string {
  if (kind === 'app_change')
    return `New settings take effect immediately. A new secret is shown to ${proposedBy} once. The audit log names ${proposedBy} and you.`
  return clientApp
    ? `It takes effect immediately. The audit log names ${proposedBy} and you.`
    : `It is posted immediately. The audit log names ${proposedBy} and you.`
}

function explainRejection({ kind, clientApp, proposedBy }: Grant): string {
  if (kind === 'app_change') return `The app stays as it is. ${proposedBy} can propose it again.`
  return clientApp
    ? `The limit stays as it is. ${proposedBy} can propose it again.`
    : `Nothing is posted. ${proposedBy} can propose it again.`
}

function explainWithdrawal({ kind, clientApp }: Grant): string {
  if (kind === 'app_change') return 'The app stays as it is. You can propose it again.'
  return clientApp
    ? 'The limit stays as it is. You can propose it again.'
    : 'Nothing is posted. You can propose it again.'
}

function titleOf(grant: Grant, money: MoneyFormat): string {
  const { clientApp, currency, kind } = grant
  const name = subjectOf(grant)
  if (kind === 'app_change') return `Approve this change of ${name}?`
  if (clientApp) {
    return clientApp.creditLimit === null
      ? `Let ${name} credit without a limit?`
      : `Set the credit limit of ${name} to ${showLimit(clientApp, currency, money)}?`
  }
  const plain = money.plain(grant.amount ?? 0, currency)
  return kind === 'correction_out' ? `Take ${plain} from ${name}?` : `Approve ${plain} for ${name}?`
}

/** The proposer withdraws the request; other operators reject it. */
export function Decline({ grant, onDone, onClose }: DecideProps) {
  const { call, money } = usePage()
  const me = useContext(OperatorContext)
  const [reason, setReason] = useState('')
  const name = subjectOf(grant)
  const amount = namedAmount(grant, money)
  const isOwn = grant.proposedBy === me.email
  const { errors, isBusy, formProps } = useForm({
    check: () => ({ reason: checkReason(reason) }),
    send: () => call('POST /api/admin/grants/decline', { id: grant.id, reason: reason.trim() }),
    explain: (result) => explainRefusal(result, ['reason']),
    done: () =>
      void onDone(isOwn ? `Withdrawn: ${amount}, ${name}.` : `Rejected: ${amount}, ${name}.`),
  })
  return (
    <Dialog
      title={isOwn ? `Withdraw ${amount} for ${name}?` : `Reject ${amount} for ${name}?`}
      isBusy={isBusy}
      isDestructive
      onClose={onClose}
    >
      <p class={base.muted}>{isOwn ? explainWithdrawal(grant) : explainRejection(grant)}</p>
      <form class={forms.form} {...formProps}>
        <ReasonField value={reason} error={errors['reason']} onChange={setReason} />
        <FormError text={errors['form']} />
        <DialogActions cancel="Cancel" submit={isOwn ? 'Withdraw' : 'Reject'} isBusy={isBusy} />
      </form>
    </Dialog>
  )
}
