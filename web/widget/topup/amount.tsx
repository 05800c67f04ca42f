import { useMemo, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import { useForm } from '../../ui/use-form.ts'
import { isStarted, type StartedPayment } from './address.ts'
import { AmountField } from './amount-field.tsx'
import { createAmountGuide } from './amount-rules.ts'
import type { Wallet } from './calls.ts'
import { useTopup } from './context.ts'
import { explainRefusal } from './explain.ts'
import type { TopupFlow } from './flow.ts'
import { Owner } from './owner.tsx'
import { preparePayment } from './prepare.ts'
import { SuggestedAmounts } from './suggested.tsx'
import * as base from '../../ui/base.module.css'
import * as card from './card.module.css'
import * as styles from './topup.module.css'

interface AmountFormProps {
  flow: TopupFlow
  wallet: Wallet | null | undefined
  notice: string | undefined
}

export function AmountForm({ flow, wallet, notice }: AmountFormProps) {
  const topup = useTopup()
  const { sharedMessages, date, messages, format, calls, data, ChooseCard } = topup
  const guide = useMemo(() => createAmountGuide(topup), [topup])
  const { suggested } = guide
  const [typed, setTyped] = useState(() => {
    const wanted = topup.amount && guide.read(format.plain(topup.amount)).amount
    const first = ownPayment(flow)?.amount ?? (wanted || (suggested[1] ?? suggested[0]))
    return first === undefined ? '' : format.plain(first)
  })
  const { amount, error } = guide.read(typed)
  // An error belongs to the amount that was sent, not to a suggestion that is chosen afterwards.
  const [submitted, setSubmitted] = useState('')
  const { errors, isBusy, formProps } = useForm({
    check: () => {
      setSubmitted(amount || typed)
      return { amount: error }
    },
    send: () => preparePayment(flow, calls, amount),
    explain: (result) => explainRefusal(result, sharedMessages, messages, { ...guide, dayLimit }),
    done: flow.begin,
  })
  const shown = errors['form'] || notice

  function dayLimit(waitSeconds: number): string {
    const free = new Date(Date.now() + waitSeconds * 1000)
    return messages.amount.errors.dayLimit(format.full(data.maxPerDay), date(free.toISOString()))
  }

  return (
    <form class={`${styles.topup} ${base.appear}`} {...formProps}>
      <header class={styles.head}>
        <h1 tabIndex={-1}>{messages.amount.title}</h1>
      </header>
      {wallet !== null && <WalletBox wallet={wallet} />}
      {shown && <Notice kind={errors['form'] ? 'danger' : 'info'}>{shown}</Notice>}
      <AmountField
        value={typed}
        hint={guide.between}
        error={submitted === (amount || typed) ? errors['amount'] : ''}
        onInput={setTyped}
        onLeave={() => amount && setTyped(format.plain(amount))}
      />
      <SuggestedAmounts
        amounts={suggested}
        chosen={amount}
        choose={(next) => setTyped(format.plain(next))}
      />
      {ChooseCard && <ChooseCard />}
      <Button type="submit" isBusy={isBusy}>
        {messages.amount.submit}
      </Button>
    </form>
  )
}

function ownPayment({ payment }: TopupFlow): StartedPayment | undefined {
  return isStarted(payment) ? payment : undefined
}

function WalletBox({ wallet }: { wallet: Wallet | undefined }) {
  const { messages, format } = useTopup()
  return (
    <div class={card.topupSum}>
      <Owner owner={wallet?.user} />
      <p class={base.muted}>
        {wallet ? (
          messages.amount.balance(format.full(wallet.balance))
        ) : (
          <TextPlaceholder length={20} />
        )}
      </p>
    </div>
  )
}
