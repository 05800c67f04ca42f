/** Refunds a top-up, or a part of it, to the card: once, even if the button is pressed several times. */
import { useRef, useState } from 'preact/hooks'
import { Notice, FormFault } from '../../ui/notice.tsx'
import type { Refusal, NoResponse } from '../../ui/request.ts'
import { type Explanation, useForm } from '../../ui/use-form.ts'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import { AmountField } from '../kit/amount-field.tsx'
import type { Topup } from '../calls.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { faultOfReason, ReasonField } from '../kit/form-parts.tsx'
import { words } from '../messages.ts'
import { isUnknown } from '../kit/money-explain.ts'
import { usePage } from '../page-context.ts'
import { previewBalance } from '../kit/preview-balance.ts'
import { mostRefundable } from './figures.tsx'
import * as base from '../../ui/base.module.css'
import * as forms from '../kit/forms.module.css'
import * as moneyDialog from '../kit/money-dialog.module.css'

const texts = words.refund

interface RefundDialogProps {
  topup: Topup
  onClose: () => void
  onDone: (text: string) => Promise<void>
}

export function RefundDialog({ topup, onClose, onDone }: RefundDialogProps) {
  const { call, money } = usePage()
  const { currency, refundable } = topup
  const toMoney = (sum: number) => money.plain(sum, currency)
  const [amount, setAmount] = useState(String(mostRefundable(topup)))
  const [reason, setReason] = useState('')
  const [wasLost, setWasLost] = useState(false)
  // If the outcome is unknown, only the same id with the same content is safe to send again.
  const id = useRef(crypto.randomUUID())
  const { faults, isBusy, formProps } = useForm({
    check: () => ({ amount: faultOfAmount(topup, amount, toMoney), reason: faultOfReason(reason) }),
    send: () =>
      call('POST /api/admin/topups/refund', {
        refundId: id.current,
        topupId: topup.id,
        amount: amount.trim(),
        reason: reason.trim(),
      }),
    explain(result) {
      const mayHaveBegun = isUnknown(result) && !isUnconfigured(result)
      setWasLost(mayHaveBegun)
      if (!mayHaveBegun) id.current = crypto.randomUUID()
      return explain(result, toMoney(refundable))
    },
    done: ({ state }) => void onDone(texts.done[state](toMoney(Number(amount)))),
  })
  const isDisputed = topup.disputes.some(({ withdrawn }) => withdrawn.length > 0)
  const title = texts.title(toMoney(topup.amount))
  return (
    <Dialog title={title} isBusy={isBusy} isDanger onClose={onClose}>
      <p class={base.muted}>{texts.text}</p>
      {isDisputed && <Notice kind="warning">{texts.disputed}</Notice>}
      <form class={forms.form} {...formProps}>
        <fieldset class={forms.plain} disabled={wasLost}>
          <AmountField
            name="amount"
            label={texts.amount}
            value={amount}
            error={faults['amount']}
            onChange={setAmount}
          />
          <Left topup={topup} amount={amount} />
          <ReasonField value={reason} error={faults['reason']} onChange={setReason} />
        </fieldset>
        <FormFault text={faults['form']} />
        <DialogActions
          cancel={words.cancel}
          submit={wasLost ? texts.again : texts.submit}
          isBusy={isBusy}
        />
      </form>
    </Dialog>
  )
}

/** The service decides; this check only avoids a request. */
function faultOfAmount(
  { refundable, wallet }: Topup,
  amount: string,
  toMoney: (sum: number) => string,
): string {
  const left = previewBalance(refundable, amount, true)
  if (left === undefined) return words.faults.creditLimit
  if (left === 'short') return texts.tooMuch(toMoney(refundable))
  const isThere = previewBalance(wallet.balance, amount, true) !== 'short'
  return isThere ? '' : texts.notThere(toMoney(wallet.balance))
}

function isUnconfigured(result: Refusal | NoResponse): boolean {
  return !result.offline && result.code === 'PAYMENT_PROVIDER_ERROR'
}

function explain(result: Refusal | NoResponse, most: string): Explanation {
  if (isUnconfigured(result)) return { faults: { form: texts.notConfigured } }
  if (result.offline || isUnknown(result)) return { faults: { form: texts.unknown } }
  if (result.code === 'INVALID_AMOUNT') return { faults: { amount: texts.tooMuch(most) } }
  if (result.code === 'INSUFFICIENT_BALANCE') return { faults: { amount: texts.insufficient } }
  return explainRefusal(result, ['reason'])
}

function Left({ topup, amount }: { topup: Topup; amount: string }) {
  const { money } = usePage()
  const { currency, refundable } = topup
  const left = previewBalance(refundable, amount, true)
  return (
    <p class={moneyDialog.preview} role="status">
      <span class={base.muted}>{texts.left}</span> <span>{money.plain(refundable, currency)}</span>
      {left && left !== 'short' && (
        <>
          <span class={base.muted} aria-hidden="true">
            →
          </span>
          <span class={base.visuallyHidden}> {texts.becomes} </span>
          <strong>{money.plain(left.becomes, currency)}</strong>
        </>
      )}
    </p>
  )
}
