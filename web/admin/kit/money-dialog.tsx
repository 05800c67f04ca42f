/** Gives a bonus, corrects a balance or gives a charge back. */
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
import { useRead } from './use-read.ts'
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

/** A debit of a client app that the operator wants to give back. */
export interface Charge {
  /** Of the correction, always the same for this charge: it cannot be given back twice. */
  grantId: string
  app: string
  amount: number
  reason: string
}

interface GrantDialogProps {
  payee: Payee
  isBonus: boolean
  charge?: Charge
  reload: () => Promise<void>
  /** Gets a line that says what was posted. */
  onDone: (text: string) => void
  onClose: () => void
}

export function GrantDialog({ reload, onDone, ...form }: GrantDialogProps) {
  const { money } = usePage()
  const { onClose } = form
  const [outcome, setOutcome] = useState<GrantOutcome | null>(null)
  function finish(next: GrantOutcome, change: string) {
    notifyGrantsChanged()
    void reload()
    const { status, balance, currency } = next
    if (status === 'open' || balance === null) {
      setOutcome(next)
      return
    }
    onClose()
    onDone(`${change} ${words.grant.posted(money.plain(balance, currency))}`)
  }
  if (outcome) return <GrantResult outcome={outcome} onClose={onClose} />
  return <GrantForm {...form} onDone={finish} />
}

interface GrantFormProps extends Omit<GrantDialogProps, 'reload' | 'onDone'> {
  onDone: (outcome: GrantOutcome, change: string) => void
}

function GrantForm({ payee, isBonus, charge, onClose, onDone }: GrantFormProps) {
  const { call, money } = usePage()
  const texts = words.grant
  const [kind, setKind] = useState<GrantKind>(isBonus ? 'bonus' : 'correction_in')
  const [amount, setAmount] = useState(charge ? String(charge.amount) : '')
  const [reason, setReason] = useState(charge?.reason ?? '')
  const [wasLost, setWasLost] = useState(false)
  const id = useRef(charge?.grantId ?? crypto.randomUUID())
  const preview = previewBalance(payee.balance, amount, kind === 'correction_out')
  const shown = preview === undefined ? '' : money.plain(Number(amount), payee.currency)
  const { faults, isBusy, formProps } = useForm({
    check: () => ({
      amount: preview === undefined ? words.faults.creditLimit : '',
      reason: faultOfReason(reason),
    }),
    send: () =>
      call('POST /api/admin/grants', {
        id: id.current,
        personId: payee.personId,
        kind,
        amount: amount.trim(),
        reason: reason.trim(),
      }),
    explain(result) {
      // If the outcome is unknown, only the same id with the same content is safe to send again.
      setWasLost(isUnknown(result))
      if (!isUnknown(result) && !charge) id.current = crypto.randomUUID()
      return explainGrant(result)
    },
    done: (outcome) => onDone(outcome, texts.changed[kind](shown)),
  })
  return (
    <Dialog key="ask" title={titleOf(payee, isBonus, charge)} isBusy={isBusy} onClose={onClose}>
      <form class={forms.form} {...formProps}>
        <fieldset class={forms.plain} disabled={wasLost}>
          {!isBonus && !charge && <Direction kind={kind} setKind={setKind} />}
          <AmountField
            name="amount"
            label={texts.amount}
            value={amount}
            placeholder="0.00"
            hint={charge && texts.giveBackHint(charge.app)}
            error={faults['amount']}
            onChange={setAmount}
          />
          <Preview payee={payee} preview={preview} />
          <ReasonField value={reason} error={faults['reason']} onChange={setReason} />
        </fieldset>
        <Allowance payee={payee} amount={shown ? Number(amount) : 0} hasHint={Boolean(charge)} />
        <FormFault text={faults['form']} />
        <DialogActions
          cancel={words.cancel}
          submit={wasLost ? texts.again : texts.submit[kind](shown)}
          isBusy={isBusy}
        />
      </form>
    </Dialog>
  )
}

function titleOf({ name }: Payee, isBonus: boolean, charge: Charge | undefined): string {
  const texts = words.grant
  if (charge) return texts.giveBackTitle(name)
  return isBonus ? texts.bonusTitle(name) : texts.correctTitle(name)
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

interface AllowanceProps {
  payee: Payee
  amount: number
  /** Of the amount, which explains who pays. */
  hasHint: boolean
}

/** What is left today without a second operator, and who pays. */
function Allowance({ payee: { personId, currency }, amount, hasHint }: AllowanceProps) {
  const { call, money } = usePage()
  const { response } = useRead('', () =>
    call('GET /api/admin/grants', { state: 'waiting', personId }),
  )
  const texts = words.grant
  const left = response && money.plain(response.left, currency)
  const isAbove = response && amount > response.left
  return (
    <p class={`${base.muted} ${parts.small}`} role="status">
      {left === null ? texts.second : isAbove ? texts.aboveLeft(left) : texts.left(left)}{' '}
      {!hasHint && texts.settlement}
    </p>
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
