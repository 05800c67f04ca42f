import type { TargetedSubmitEvent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button, TextButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { useHeadingFocus } from '../../ui/use-heading-focus.ts'
import type { StartedPayment } from './address.ts'
import { useCardFields } from './card-fields.ts'
import { useTopup } from './context.ts'
import type { TopupFlow } from './flow.ts'
import { LockIcon } from '../../ui/icons.tsx'
import { Owner } from './owner.tsx'
import { payByCard } from './pay.ts'
import { FieldsPlaceholder } from './placeholder.tsx'
import { TestCards } from './test-cards.tsx'
import { NoCardForm } from './status-screens.tsx'
import * as base from '../../ui/base.module.css'
import * as card from './card.module.css'
import * as styles from './topup.module.css'

export interface CardFormProps {
  flow: TopupFlow
  payment: StartedPayment
  error: string | undefined
}

export function CardForm({ flow, payment, error: firstError = '' }: CardFormProps) {
  const { messages, format, data, calls, path } = useTopup()
  const place = useRef<HTMLDivElement>(null)
  const [fields, retry] = useCardFields(place, payment)
  const [error, setError] = useState(firstError)
  const [isPaying, run] = useBusy(pay)
  const amount = format.full(payment.amount)
  // While the outcome is unknown, a second payment must not start.
  const isUnsure = error === messages.declined.unanswered
  useHeadingFocus(fields.state === 'failed' ? 'failed' : 'card')
  useEffect(() => setError(firstError), [firstError])

  async function pay() {
    if (fields.state !== 'ready') return
    setError('')
    setError(await payByCard({ ...fields, flow, payment, messages, path }))
  }

  const mayChange = calls !== undefined && !isPaying && !isUnsure
  const changeAmount = mayChange ? () => flow.show({ name: 'amount' }) : undefined
  if (fields.state === 'failed') {
    return <NoCardForm retry={retry} changeAmount={changeAmount} />
  }
  return (
    <form class={`${styles.topup} ${base.appear}`} noValidate onSubmit={submit}>
      <header class={styles.head}>
        <h1 tabIndex={-1}>{messages.card.title}</h1>
      </header>
      <div class={card.topupSum}>
        <p>
          <span class={base.muted}>{messages.card.adding}</span> <strong>{amount}</strong>
        </p>
        {changeAmount && <ChangeLink changeAmount={changeAmount} />}
        <Owner owner={payment.owner} />
      </div>
      <div class={isPaying ? `${card.fields} ${card.fieldsBusy}` : card.fields}>
        <div ref={place} class={fields.state === 'ready' ? '' : card.fieldsHidden} />
        {fields.state === 'loading' && <FieldsPlaceholder />}
      </div>
      {error && <Notice kind="danger">{error}</Notice>}
      <div class={card.topupEnd}>
        <Button type="submit" isBusy={isPaying} isDisabled={fields.state === 'loading'}>
          {messages.card.pay(amount)}
        </Button>
        <p class={`${card.topupNote} ${base.muted}`}>
          <LockIcon />
          <span role="status">{isPaying && messages.card.paying}</span>
          {!isPaying && <span>{messages.card.safe(data.appName)}</span>}
        </p>
      </div>
      <TestCards />
    </form>
  )

  function submit(event: TargetedSubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    // Takes the focus out of the processor's iframe, which is removed with this screen.
    event.currentTarget.querySelector<HTMLElement>('[type="submit"]')?.focus()
    run()
  }
}

function ChangeLink({ changeAmount }: { changeAmount: () => void }) {
  const { messages } = useTopup()
  return (
    <TextButton onClick={changeAmount}>
      {messages.card.change} <span class={base.visuallyHidden}>{messages.card.changeWhat}</span>
    </TextButton>
  )
}
