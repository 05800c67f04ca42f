/** Gives a bonus or corrects a balance, and shows the result. */
import { useRef, useState } from 'preact/hooks'
import { useForm } from '../../ui/use-form.ts'
import { FormFault } from '../../ui/notice.tsx'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import { AmountField } from './amount-field.tsx'
import { notifyGrantsChanged } from './approvals-count.tsx'
import type { GrantKind, GrantOutcome } from '../calls.ts'
import { Choice, faultOfReason, ReasonField } from './form-parts.tsx'
import { words } from '../messages.ts'
import { explainGrant, isUnknown } from './money-explain.ts'
import { GrantResult } from './money-result.tsx'
import { usePage } from '../page-context.ts'
import { previewBalance } from './preview-balance.ts'
import * as base from '../../ui/base.module.css'
import * as forms from './forms.module.css'
import * as styles from './money-dialog.module.css'
import * as parts from './parts.module.css'

export interface Payee {
  personId: string
  name: string
  balance: number
  currency: string
}

interface GrantDialogProps {
  payee: Payee
  isBonus: boolean
  reload: () => Promise<void>
  onClose: () => void
}

export function GrantDialog({ payee, isBonus, reload, onClose }: GrantDialogProps) {
  const [outcome, setOutcome] = useState<GrantOutcome | null>(null)
  if (outcome) return <GrantResult outcome={outcome} onClose={onClose} />
  return (
    <GrantForm
      payee={payee}
      isBonus={isBonus}
      onClose={onClose}
      onDone={(next) => {
        setOutcome(next)
        notifyGrantsChanged()
        void reload()
      }}
    />
  )
}

interface GrantFormProps extends Omit<GrantDialogProps, 'reload'> {
  onDone: (outcome: GrantOutcome) => void
}

function GrantForm({ payee, isBonus, onClose, onDone }: GrantFormProps) {
  const { calls } = usePage()
  const texts = words.grant
  const [kind, setKind] = useState<GrantKind>(isBonus ? 'bonus' : 'correction_in')
  const [amount, setAmount] = useState('')
  const [reason, setReason] = useState('')
  const [wasLost, setWasLost] = useState(false)
  const id = useRef(crypto.randomUUID())
  const preview = previewBalance(payee.balance, amount, kind === 'correction_out')
  const { faults, isBusy, formProps } = useForm({
    check: () => ({
      amount: preview === undefined ? words.faults.creditLimit : '',
      reason: faultOfReason(reason),
    }),
    send: () =>
      calls.proposeGrant({
        id: id.current,
        personId: payee.personId,
        kind,
        amount: amount.trim(),
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
      key="ask"
      title={isBonus ? texts.bonusTitle(payee.name) : texts.correctTitle(payee.name)}
      isBusy={isBusy}
      onClose={onClose}
    >
      <form class={forms.form} {...formProps}>
        <fieldset class={forms.plain} disabled={wasLost}>
          {!isBonus && <Direction kind={kind} setKind={setKind} />}
          <AmountField
            name="amount"
            label={texts.amount}
            value={amount}
            error={faults['amount']}
            onChange={setAmount}
          />
          <Preview payee={payee} preview={preview} />
          <ReasonField value={reason} error={faults['reason']} onChange={setReason} />
        </fieldset>
        <p class={`${base.muted} ${parts.small}`}>{texts.second}</p>
        <FormFault text={faults['form']} />
        <DialogActions
          cancel={words.cancel}
          submit={wasLost ? texts.again : isBonus ? texts.submitBonus : texts.submitCorrection}
          isBusy={isBusy}
        />
      </form>
    </Dialog>
  )
}

interface DirectionProps {
  kind: GrantKind
  setKind: (kind: GrantKind) => void
}

function Direction({ kind, setKind }: DirectionProps) {
  const { direction, up, upHint, down, downHint } = words.grant
  const choices = [
    ['correction_in', up, upHint],
    ['correction_out', down, downHint],
  ] as const
  return (
    <fieldset class={forms.choices}>
      <legend>{direction}</legend>
      {choices.map(([each, label, text]) => (
        <Choice
          key={each}
          type="radio"
          name="kind"
          value={each}
          label={label}
          text={text}
          isChecked={each === kind}
          onChange={() => setKind(each)}
        />
      ))}
    </fieldset>
  )
}

interface PreviewProps {
  payee: Payee
  preview: ReturnType<typeof previewBalance>
}

function Preview({ payee: { balance, currency }, preview }: PreviewProps) {
  const { money } = usePage()
  return (
    <p class={styles.preview} role="status">
      <span class={base.muted}>{words.grant.preview}</span>{' '}
      <span>{money.plain(balance, currency)}</span>
      {preview === 'short' && <span class={parts.textDanger}>{words.grant.short}</span>}
      {preview && preview !== 'short' && (
        <>
          <span class={base.muted} aria-hidden="true">
            →
          </span>
          <span class={base.visuallyHidden}> {words.grant.becomes} </span>
          <strong>{money.plain(preview.becomes, currency)}</strong>
        </>
      )}
    </p>
  )
}
