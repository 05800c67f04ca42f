import type { Topup } from '../calls.ts'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as detail from '../kit/detail.module.css'
import * as parts from '../kit/parts.module.css'

const FEE_NAMES = { payment: 'Payment', refund: 'Refund', dispute: 'Dispute' }

function explainRefundable(topup: Topup, toMoney: (amount: number) => string): string {
  if (topup.refundable === 0) return 'Fully refunded.'
  const most = maxRefundable(topup)
  return most === 0
    ? 'The wallet is empty, so nothing can be refunded now.'
    : `${toMoney(most)} can still be refunded.`
}

/** A refund cannot exceed the balance. */
export function maxRefundable({ refundable, wallet }: Topup): number {
  return Math.min(refundable, wallet.balance)
}

/** The figures next to the payment. */
export function TopupFigures({ topup }: { topup: Topup }) {
  const { money } = usePage()
  const { currency, wallet, fees } = topup
  const toMoney = (amount: number) => money.plain(amount, currency)
  return (
    <aside class={detail.figures} aria-label="Figures of this top-up">
      <dl>
        <div>
          <dt>Topped up</dt>
          <dd class={detail.figure}>{toMoney(topup.amount)}</dd>
          {topup.debtPaid > 0 && (
            <dd class={`${base.muted} ${detail.figureNote}`}>
              {toMoney(topup.debtPaid)} of it paid off a debt.
            </dd>
          )}
        </div>
        {topup.state === 'credited' && (
          <div>
            <dt>Refunded</dt>
            <dd class={detail.figure}>{toMoney(topup.refunded)}</dd>
            <dd class={`${base.muted} ${detail.figureNote}`}>
              {explainRefundable(topup, toMoney)}
            </dd>
          </div>
        )}
        <div>
          <dt>Processor fees</dt>
          {fees.length === 0 && (
            <dd class={`${base.muted} ${detail.figureNote}`}>None recorded yet.</dd>
          )}
          {fees.map((fee, at) => (
            <dd key={at}>
              {FEE_NAMES[fee.of]} {money.plain(fee.amount, fee.currency)}
            </dd>
          ))}
        </div>
        <div>
          <dt>Current wallet balance</dt>
          <dd class={detail.figure}>{toMoney(wallet.balance)}</dd>
          {!wallet.isActive && (
            <dd class={`${base.muted} ${detail.figureNote}`}>The wallet is frozen.</dd>
          )}
        </div>
        {wallet.debt > 0 && (
          <div>
            <dt>Current debt</dt>
            <dd class={`${detail.figure} ${parts.textDanger}`}>{toMoney(wallet.debt)}</dd>
            <dd class={`${base.muted} ${detail.figureNote}`}>Collected from the next top-up.</dd>
          </div>
        )}
      </dl>
    </aside>
  )
}
