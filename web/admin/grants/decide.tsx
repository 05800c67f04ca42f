/** The dialogs to approve, reject or withdraw a request. */
import { useContext, useState } from 'preact/hooks'
import type { MoneyFormat } from '../../ui/format-money.ts'
import { useBusy } from '../../ui/use-busy.ts'
import { useForm } from '../../ui/use-form.ts'
import { FormFault } from '../../ui/notice.tsx'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import { showLimit } from '../kit/show-limit.ts'
import { Changes, namedAmount, subjectOf } from './parts.tsx'
import type { Grant } from '../calls.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { faultOfReason, ReasonField } from '../kit/form-parts.tsx'
import { words } from '../messages.ts'
import { explainGrant } from '../kit/money-explain.ts'
import { OperatorContext } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as forms from '../kit/forms.module.css'
import * as styles from './grants.module.css'

const texts = words.approvals

interface DecideProps {
  grant: Grant
  onDone: (text: string) => Promise<void>
  onClose: () => void
}

export function Approve({ grant, onDone, onClose }: DecideProps) {
  const { call, money } = usePage()
  const [fault, setFault] = useState('')
  const name = subjectOf(grant)
  const amount = namedAmount(grant, money)
  const isLimit = grant.clientApp !== null
  const { approveText } = textsOf(grant)
  const isOut = grant.kind === 'correction_out'
  const [isBusy, approve] = useBusy(async () => {
    setFault('')
    const result = await call('POST /api/admin/grants/approve', { id: grant.id })
    if (result.ok) await onDone((isLimit ? texts.limit.approved : texts.posted)(amount, name))
    else setFault(Object.values(explainGrant(result).faults).join(' '))
  })
  return (
    <Dialog title={titleOf(grant, money)} isBusy={isBusy} isDanger={isOut} onClose={onClose}>
      <p class={styles.grantReason} dir="auto">
        {grant.reason}
      </p>
      <Changes grant={grant} />
      <p class={base.muted}>{approveText(grant.proposedBy)}</p>
      <FormFault text={fault} />
      <DialogActions
        cancel={words.cancel}
        submit={texts.approve}
        isBusy={isBusy}
        onSubmit={approve}
      />
    </Dialog>
  )
}

function textsOf({ kind, clientApp }: Grant) {
  if (kind === 'app_change') return texts.change
  return clientApp ? texts.limit : texts
}

function titleOf(grant: Grant, money: MoneyFormat): string {
  const { clientApp, currency, kind } = grant
  const name = subjectOf(grant)
  if (kind === 'app_change') return texts.change.approveTitle(name)
  if (clientApp) {
    const { approveTitle, approveUnlimitedTitle } = texts.limit
    return clientApp.creditLimit === null
      ? approveUnlimitedTitle(name)
      : approveTitle(showLimit(clientApp, currency, money), name)
  }
  const plain = money.plain(grant.amount ?? 0, currency)
  return kind === 'correction_out'
    ? texts.approveOutTitle(plain, name)
    : texts.approveTitle(plain, name)
}

/** The proposer withdraws the request; other operators reject it. */
export function Decline({ grant, onDone, onClose }: DecideProps) {
  const { call, money } = usePage()
  const me = useContext(OperatorContext)
  const [reason, setReason] = useState('')
  const name = subjectOf(grant)
  const amount = namedAmount(grant, money)
  const { rejectText, withdrawText } = textsOf(grant)
  const isOwn = grant.proposedBy === me.email
  const { faults, isBusy, formProps } = useForm({
    check: () => ({ reason: faultOfReason(reason) }),
    send: () => call('POST /api/admin/grants/decline', { id: grant.id, reason: reason.trim() }),
    explain: (result) => explainRefusal(result, ['reason']),
    done: () => void onDone((isOwn ? texts.withdrawn : texts.rejected)(amount, name)),
  })
  return (
    <Dialog
      title={(isOwn ? texts.withdrawTitle : texts.rejectTitle)(amount, name)}
      isBusy={isBusy}
      isDanger
      onClose={onClose}
    >
      <p class={base.muted}>{isOwn ? withdrawText : rejectText(grant.proposedBy)}</p>
      <form class={forms.form} {...formProps}>
        <ReasonField value={reason} error={faults['reason']} onChange={setReason} />
        <FormFault text={faults['form']} />
        <DialogActions
          cancel={words.cancel}
          submit={isOwn ? texts.withdraw : texts.reject}
          isBusy={isBusy}
        />
      </form>
    </Dialog>
  )
}
