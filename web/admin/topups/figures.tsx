import type { Topup } from '../calls.ts'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as detail from '../kit/detail.module.css'
import * as parts from '../kit/parts.module.css'

const texts = words.topup

function explainRefundable(topup: Topup, toMoney: (amount: number) => string): string {
  if (topup.refundable === 0) return texts.allRefunded
  const most = mostRefundable(topup)
  return most === 0 ? texts.notRefundable : texts.refundable(toMoney(most))
}

/** A refund cannot exceed the balance. */
export function mostRefundable({ refundable, wallet }: Topup): number {
  return Math.min(refundable, wallet.balance)
}

/** The figures next to the payment. */
export function TopupFigures({ topup }: { topup: Topup }) {
  const { money } = usePage()
  const { currency, wallet, fees } = topup
  const toMoney = (amount: number) => money.plain(amount, currency)
  return (
    <aside class={detail.figures} aria-label={texts.figures}>
      <dl>
        <div>
          <dt>{texts.amount}</dt>
          <dd class={detail.figure}>{toMoney(topup.amount)}</dd>
          {topup.debtPaid > 0 && (
            <dd class={`${base.muted} ${detail.figureNote}`}>
              {texts.debtPaid(toMoney(topup.debtPaid))}
            </dd>
          )}
        </div>
        {topup.state === 'credited' && (
          <div>
            <dt>{texts.refunded}</dt>
            <dd class={detail.figure}>{toMoney(topup.refunded)}</dd>
            <dd class={`${base.muted} ${detail.figureNote}`}>
              {explainRefundable(topup, toMoney)}
            </dd>
          </div>
        )}
        <div>
          <dt>{texts.fees}</dt>
          {fees.length === 0 && <dd class={`${base.muted} ${detail.figureNote}`}>{texts.noFee}</dd>}
          {fees.map((fee, at) => (
            <dd key={at}>
              {texts.feeOf[fee.of]} {money.plain(fee.amount, fee.currency)}
            </dd>
          ))}
        </div>
        <div>
          <dt>{texts.balance}</dt>
          <dd class={detail.figure}>{toMoney(wallet.balance)}</dd>
          {!wallet.isActive && <dd class={`${base.muted} ${detail.figureNote}`}>{texts.frozen}</dd>}
        </div>
        {wallet.debt > 0 && (
          <div>
            <dt>{texts.debt}</dt>
            <dd class={`${detail.figure} ${parts.textDanger}`}>{toMoney(wallet.debt)}</dd>
            <dd class={`${base.muted} ${detail.figureNote}`}>{texts.debtHint}</dd>
          </div>
        )}
      </dl>
    </aside>
  )
}
