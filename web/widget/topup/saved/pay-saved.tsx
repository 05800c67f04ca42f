import type { TargetedSubmitEvent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button, TextButton } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useBusy } from '../../../ui/use-busy.ts'
import { useHeadingFocus } from '../../../ui/use-heading-focus.ts'
import type { CardFormProps } from '../card.tsx'
import { useTopup } from '../context.ts'
import { LockIcon } from '../../../ui/icons.tsx'
import { Owner } from '../owner.tsx'
import { payByCard } from '../pay.ts'
import { openStripe } from '../stripe.ts'
import type { SavedCardMessages } from './messages.ts'
import * as base from '../../../ui/base.module.css'
import * as card from '../card.module.css'
import * as styles from '../topup.module.css'

/** Pays with a saved card: the person sees the amount and the card, and confirms. */
export function createPayBySavedCard(cardMessages: SavedCardMessages) {
  return function PayBySavedCard({ flow, payment, error: firstError = '' }: CardFormProps) {
    const { messages, format, data, path } = useTopup()
    const [error, setError] = useState(firstError)
    const amount = format.full(payment.amount)
    const [isPaying, run] = useBusy(async () => {
      setError('')
      const stripe = await openStripe(data.scriptUrl, payment.publishableKey)
      if (!stripe) return setError(messages.problem.script)
      setError(await payByCard({ stripe, flow, payment, messages, path }))
    })
    // While the outcome is unknown, a second payment must not start.
    const isUnsure = error === messages.declined.unanswered
    useHeadingFocus('saved')
    useEffect(() => setError(firstError), [firstError])
    function submit(event: TargetedSubmitEvent<HTMLFormElement>) {
      event.preventDefault()
      run()
    }
    return (
      <form class={`${styles.topup} ${base.appear}`} noValidate onSubmit={submit}>
        <header class={styles.head}>
          <h1 tabIndex={-1}>{cardMessages.payTitle}</h1>
        </header>
        <div class={card.topupSum}>
          <p>
            <span class={base.muted}>{messages.card.adding}</span> <strong>{amount}</strong>
          </p>
          <p>{payment.choice?.name}</p>
          <Owner owner={payment.owner} />
        </div>
        {error && <Notice kind="danger">{error}</Notice>}
        <div class={card.topupEnd}>
          <Button type="submit" isBusy={isPaying}>
            {messages.card.pay(amount)}
          </Button>
          <p class={`${card.topupNote} ${base.muted}`}>
            <LockIcon />
            <span role="status">{isPaying && messages.card.paying}</span>
            {!isPaying && <span>{cardMessages.bankMayAsk}</span>}
          </p>
          {!isPaying && !isUnsure && (
            <TextButton onClick={() => flow.show({ name: 'amount' })}>
              {cardMessages.change}
            </TextButton>
          )}
        </div>
      </form>
    )
  }
}
