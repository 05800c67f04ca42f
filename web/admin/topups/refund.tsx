/** Refunds a top-up, or a part of it, to the card: once, even if the button is pressed several times. */
import { useRef, useState } from 'preact/hooks'
import { Notice, FormError } from '../../ui/notice.tsx'
import type { Refusal, NoResponse } from '../../ui/request.ts'
import { type Explanation, useForm } from '../../ui/use-form.ts'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import { AmountField } from '../kit/amount-field.tsx'
import type { Topup } from '../calls.ts'
import { explainRefusal, errorMessages } from '../explain-refusal.ts'
import { checkReason, ReasonField } from '../kit/form-parts.tsx'
import { isUnknown } from '../kit/explain-grant.ts'
import { usePage } from '../page-context.ts'
import { previewBalance } from '../kit/amounts.ts'
import { maxRefundable } from './figures.tsx'
import * as base from '../../ui/base.module.css'
import * as forms from '../kit/forms.module.css'
import * as grantDialog from '../kit/grant-dialog.module.css'

const DONE_MESSAGES = {
  sent: (amount: string) =>
    `${amount} is on its way to the card. Banks take 5 to 10 days to show it.`,
  reserved: (amount: string) =>
    `The refund of ${amount} has started but is not completed yet. It is retried automatically; you do not need to do anything.`,
  released: () =>
    'The card processor did not accept the refund. The money is back in the wallet. Check the payment at the card processor.',
  refused: () => 'The balance was too low, so nothing was refunded.',
}

interface RefundDialogProps {
  topup: Topup
  onClose: () => void
  onDone: (text: string) => Promise<void>
}

export function RefundDialog({ topup, onClose, onDone }: RefundDialogProps) {
  const { call, money } = usePage()
  const { currency, refundable } = topup
  const toMoney = (sum: number) => money.plain(sum, currency)
  const [amount, setAmount] = useState(String(maxRefundable(topup)))
  const [reason, setReason] = useState('')
  const [wasLost, setWasLost] = useState(false)
  // If the outcome is unknown, only the same id with the same content is safe to send again.
  const id = useRef(crypto.randomUUID())
  const { errors, isBusy, formProps } = useForm({
    check: () => ({ amount: checkAmount(topup, amount, toMoney), reason: checkReason(reason) }),
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
    done: ({ state }) => void onDone(DONE_MESSAGES[state](toMoney(Number(amount)))),
  })
  const isDisputed = topup.disputes.some(({ withdrawn }) => withdrawn.length > 0)
  const title = `Refund this top-up of ${toMoney(topup.amount)}`
  return (
    <Dialog title={title} isBusy={isBusy} isDestructive onClose={onClose}>
      <p class={base.muted}>
        The money leaves the wallet now and goes back to the card that paid. This cannot be undone.
      </p>
      {isDisputed && (
        <Notice kind="warning">
          This payment is disputed. The card processor usually refuses to refund it; the money then
          returns to the wallet.
        </Notice>
      )}
      <form class={forms.form} {...formProps}>
        <fieldset class={forms.plain} disabled={wasLost}>
          <AmountField
            name="amount"
            label="Amount"
            value={amount}
            error={errors['amount']}
            onChange={setAmount}
          />
          <RemainingRefund topup={topup} amount={amount} />
          <ReasonField value={reason} error={errors['reason']} onChange={setReason} />
        </fieldset>
        <FormError text={errors['form']} />
        <DialogActions cancel="Cancel" submit={wasLost ? 'Send again' : 'Refund'} isBusy={isBusy} />
      </form>
    </Dialog>
  )
}

/** The service decides; this check only avoids a request. */
function checkAmount(
  { refundable, wallet }: Topup,
  amount: string,
  toMoney: (sum: number) => string,
): string {
  const left = previewBalance(refundable, amount, true)
  if (left === undefined) return errorMessages.fieldErrors.creditLimit
  if (left === 'short') return explainTooMuch(toMoney(refundable))
  const isThere = previewBalance(wallet.balance, amount, true) !== 'short'
  return isThere
    ? ''
    : `The balance is only ${toMoney(wallet.balance)}. You can refund at most this amount.`
}

function isUnconfigured(result: Refusal | NoResponse): boolean {
  return !result.offline && result.code === 'PAYMENT_PROVIDER_ERROR'
}

function explain(result: Refusal | NoResponse, most: string): Explanation {
  if (isUnconfigured(result))
    return { errors: { form: 'No card processor is configured, so nothing can be refunded.' } }
  if (result.offline || isUnknown(result))
    return {
      errors: {
        form: 'There was no response in time, so it is not certain whether the refund has started. Send it again: it is executed only once.',
      },
    }
  if (result.code === 'INVALID_AMOUNT') return { errors: { amount: explainTooMuch(most) } }
  if (result.code === 'INSUFFICIENT_BALANCE')
    return {
      errors: {
        amount: 'The balance is too low, so nothing was refunded. Enter a smaller amount.',
      },
    }
  return explainRefusal(result, ['reason'])
}

function RemainingRefund({ topup, amount }: { topup: Topup; amount: string }) {
  const { money } = usePage()
  const { currency, refundable } = topup
  const left = previewBalance(refundable, amount, true)
  return (
    <p class={grantDialog.preview} role="status">
      <span class={base.muted}>Left to refund</span>{' '}
      <span>{money.plain(refundable, currency)}</span>
      {left && left !== 'short' && (
        <>
          <span class={base.muted} aria-hidden="true">
            →
          </span>
          <span class={base.visuallyHidden}> becomes </span>
          <strong>{money.plain(left.becomes, currency)}</strong>
        </>
      )}
    </p>
  )
}

function explainTooMuch(amount: string): string {
  return `At most ${amount} of this top-up can still be refunded.`
}
