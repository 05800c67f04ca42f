/** Gives a bonus, corrects a balance or refunds a debit. */
import { useRef, useState } from 'preact/hooks'
import { useForm } from '../../ui/use-form.ts'
import { FormError } from '../../ui/notice.tsx'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import { AmountField } from './amount-field.tsx'
import { notifyGrantsChanged } from './approvals-count.tsx'
import type { GrantKind, GrantOutcome } from '../calls.ts'
import { Choice, checkReason, ReasonField } from './form-parts.tsx'
import { explainGrant, isUnknown } from './explain-grant.ts'
import { GrantResult } from './grant-result.tsx'
import { usePage } from '../page-context.ts'
import { useRead } from './use-read.ts'
import { previewBalance } from './amounts.ts'
import { errorMessages } from '../explain-refusal.ts'
import * as base from '../../ui/base.module.css'
import * as forms from './forms.module.css'
import * as styles from './grant-dialog.module.css'
import * as parts from './parts.module.css'

const CHANGE_MESSAGES = {
  bonus: (amount: string) => `Gave ${amount}.`,
  correction_in: (amount: string) => `Added ${amount}.`,
  correction_out: (amount: string) => `Took ${amount}.`,
  refund: (amount: string) => `Refunded ${amount}.`,
}

const SUBMIT_LABELS = {
  bonus: (amount: string) => (amount ? `Give ${amount}` : 'Give bonus'),
  correction_in: (amount: string) => (amount ? `Add ${amount}` : 'Add'),
  correction_out: (amount: string) => (amount ? `Take ${amount}` : 'Take'),
  refund: (amount: string) => (amount ? `Refund ${amount}` : 'Refund'),
}

export const SECOND_OPERATOR_HINT =
  'Amounts above the 24-hour threshold are not posted now. They wait for a second operator.'

export interface Payee {
  personId: string
  name: string
  balance: number
  currency: string
}

/** A debit of a client app that the operator wants to refund. */
export interface RefundedDebit {
  /** Of the correction, always the same for this debit: it cannot be refunded twice. */
  grantId: string
  app: string
  amount: number
  reason: string
}

interface GrantDialogProps {
  payee: Payee
  isBonus: boolean
  debit?: RefundedDebit
  reload: () => Promise<void>
  /** `text` says what was posted. */
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
    onDone(`${change} The balance is now ${money.plain(balance, currency)}.`)
  }
  if (outcome) return <GrantResult outcome={outcome} onClose={onClose} />
  return <GrantForm {...form} onDone={finish} />
}

interface GrantFormProps extends Omit<GrantDialogProps, 'reload' | 'onDone'> {
  onDone: (outcome: GrantOutcome, change: string) => void
}

function GrantForm({ payee, isBonus, debit, onClose, onDone }: GrantFormProps) {
  const { call, money } = usePage()
  const [kind, setKind] = useState<GrantKind>(isBonus ? 'bonus' : 'correction_in')
  const [amount, setAmount] = useState(debit ? String(debit.amount) : '')
  const [reason, setReason] = useState(debit?.reason ?? '')
  const [wasLost, setWasLost] = useState(false)
  const id = useRef(debit?.grantId ?? crypto.randomUUID())
  const action = debit ? 'refund' : kind
  const preview = previewBalance(payee.balance, amount, kind === 'correction_out')
  const shown = preview === undefined ? '' : money.plain(Number(amount), payee.currency)
  const { errors, isBusy, formProps } = useForm({
    check: () => ({
      amount: preview === undefined ? errorMessages.fieldErrors.creditLimit : '',
      reason: checkReason(reason),
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
      if (!isUnknown(result) && !debit) id.current = crypto.randomUUID()
      return explainGrant(result)
    },
    done: (outcome) => onDone(outcome, CHANGE_MESSAGES[action](shown)),
  })
  return (
    <Dialog key="ask" title={titleOf(payee, isBonus, debit)} isBusy={isBusy} onClose={onClose}>
      <form class={forms.form} {...formProps}>
        <fieldset class={forms.plain} disabled={wasLost}>
          {!isBonus && !debit && <Direction kind={kind} setKind={setKind} />}
          <AmountField
            name="amount"
            label="Amount"
            value={amount}
            placeholder="0.00"
            hint={
              debit &&
              `The service pays this. What ${debit.app} receives for the debit does not change.`
            }
            error={errors['amount']}
            onChange={setAmount}
          />
          <Preview payee={payee} preview={preview} />
          <ReasonField value={reason} error={errors['reason']} onChange={setReason} />
        </fieldset>
        <RemainingAmount
          payee={payee}
          amount={shown ? Number(amount) : 0}
          isPayerShown={Boolean(debit)}
        />
        <FormError text={errors['form']} />
        <DialogActions
          cancel="Cancel"
          submit={wasLost ? 'Try again' : SUBMIT_LABELS[action](shown)}
          isBusy={isBusy}
        />
      </form>
    </Dialog>
  )
}

function titleOf({ name }: Payee, isBonus: boolean, debit: RefundedDebit | undefined): string {
  if (debit) return `Refund a debit to ${name}`
  return isBonus ? `Give ${name} a bonus` : `Correct the balance of ${name}`
}

interface DirectionProps {
  kind: GrantKind
  setKind: (kind: GrantKind) => void
}

function Direction({ kind, setKind }: DirectionProps) {
  const choices = [
    ['correction_in', 'Add to the balance', 'The balance was too low.'],
    [
      'correction_out',
      'Take from the balance',
      'The balance was too high. You can take at most the balance, also from a frozen wallet.',
    ],
  ] as const
  return (
    <fieldset class={forms.choices}>
      <legend>Direction</legend>
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

interface RemainingAmountProps {
  payee: Payee
  amount: number
  /** Whether the hint of the amount already says who pays. */
  isPayerShown: boolean
}

/** The amount that the operator can still post alone in 24 hours, and who pays. */
function RemainingAmount({
  payee: { personId, currency },
  amount,
  isPayerShown,
}: RemainingAmountProps) {
  const { call, money } = usePage()
  const { response } = useRead('', () =>
    call('GET /api/admin/grants', { state: 'waiting', personId }),
  )
  const left = response && money.plain(response.left, currency)
  const isAbove = response && amount > response.left
  return (
    <p class={`${base.muted} ${parts.small}`} role="status">
      {left === null
        ? SECOND_OPERATOR_HINT
        : isAbove
          ? `This needs a second operator: you can post only ${left} more by yourself in the current 24 hours.`
          : `You can post ${left} more in the current 24 hours without a second operator.`}{' '}
      {!isPayerShown && 'The service pays for it. The settlement of client apps does not change.'}
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
      <span class={base.muted}>Balance</span> <span>{money.plain(balance, currency)}</span>
      {preview === 'short' && <span class={parts.textDanger}>This is more than the balance.</span>}
      {preview && preview !== 'short' && (
        <>
          <span class={base.muted} aria-hidden="true">
            →
          </span>
          <span class={base.visuallyHidden}> becomes </span>
          <strong>{money.plain(preview.becomes, currency)}</strong>
        </>
      )}
    </p>
  )
}
