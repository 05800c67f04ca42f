import type { Topup } from '../calls.ts'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'

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
    <aside class="figures" aria-label={texts.figures}>
      <dl>
        <div>
          <dt>{texts.amount}</dt>
          <dd class="figure">{toMoney(topup.amount)}</dd>
          {topup.debtPaid > 0 && <dd class="muted">{texts.debtPaid(toMoney(topup.debtPaid))}</dd>}
        </div>
        {topup.state === 'credited' && (
          <div>
            <dt>{texts.refunded}</dt>
            <dd class="figure">{toMoney(topup.refunded)}</dd>
            <dd class="muted">{explainRefundable(topup, toMoney)}</dd>
          </div>
        )}
        <div>
          <dt>{texts.fees}</dt>
          {fees.length === 0 && <dd class="muted">{texts.noFee}</dd>}
          {fees.map((fee, at) => (
            <dd key={at}>
              {texts.feeOf[fee.of]} {money.plain(fee.amount, fee.currency)}
            </dd>
          ))}
        </div>
        <div>
          <dt>{texts.balance}</dt>
          <dd class="figure">{toMoney(wallet.balance)}</dd>
          {!wallet.isActive && <dd class="muted">{texts.frozen}</dd>}
        </div>
        {wallet.debt > 0 && (
          <div>
            <dt>{texts.debt}</dt>
            <dd class="figure text-danger">{toMoney(wallet.debt)}</dd>
            <dd class="muted">{texts.debtHint}</dd>
          </div>
        )}
      </dl>
    </aside>
  )
}
