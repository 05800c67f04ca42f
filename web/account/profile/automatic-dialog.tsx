import { useId, useState } from 'preact/hooks'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { explainWrongPassword } from '../../ui/explain-refusal.ts'
import { FormError } from '../../ui/notice.tsx'
import { useForm } from '../../ui/use-form.ts'
import { UserName } from '../../ui/field.tsx'
import { createAmountText, isAmount } from '../amount-text.ts'
import type { Automatic, Card } from '../calls.ts'
import { CurrentPasswordField, OptionalField } from '../form-parts.tsx'
import { usePage } from '../page-context.ts'
import { readTimeZone } from '../format-day.ts'
import { useCardName } from './use-cards.ts'
import * as base from '../../ui/base.module.css'
import * as field from '../../ui/field.module.css'
import * as styles from './settings.module.css'

const AMOUNTS = ['threshold', 'amount', 'monthMax'] as const
const FIRST = { threshold: 10, amount: 20, monthMax: 100 }

interface AutomaticDialogProps {
  automatic: Automatic
  cards: Card[]
  email: string
  onClose: () => void
  onDone: () => Promise<void>
}

export function AutomaticDialog(props: AutomaticDialogProps) {
  const { automatic, cards, email, onClose, onDone } = props
  const { messages, call, money, locales } = usePage()
  const nameCard = useCardName()
  const text = createAmountText(locales)
  const { automaticTopup: terms, currency, minAmount, maxAmount } = automatic
  const known = cards.find(({ id }) => id === terms?.cardId) ?? cards[0]
  const first = AMOUNTS.map((name) => text.write(terms?.[name] ?? FIRST[name]))
  const [threshold = '', amount = '', monthMax = ''] = first
  const [typed, setTyped] = useState({ threshold, amount, monthMax, cardId: known?.id ?? '' })
  const show = (value: number) => money.plain(value, currency)
  const given = (name: (typeof AMOUNTS)[number]) => text.read(typed[name])
  const card = cards.find(({ id }) => id === typed.cardId)
  const [low = '', one = '', month = ''] = AMOUNTS.map((name) => show(Number(given(name)) || 0))
  const consent = messages.cards.autoTerms(low, one, month, card ? nameCard(card) : '')
  const { errors, isBusy, formProps } = useForm({
    check: ({ password }) => {
      const [below = NaN, once = NaN, most = NaN] = AMOUNTS.map((name) => toNumber(given(name)))
      const isPossible = once >= minAmount && once <= maxAmount
      return {
        threshold: below > 0 ? '' : messages.cards.thresholdError,
        amount: isPossible ? '' : messages.cards.amountError(show(minAmount), show(maxAmount)),
        monthMax: most >= once ? '' : messages.cards.monthMaxError,
        password: password ? '' : messages.fieldErrors.password,
      }
    },
    send: ({ password = '' }) =>
      call('POST /api/account/automatic-topup', {
        password,
        threshold: given('threshold'),
        amount: given('amount'),
        monthMax: given('monthMax'),
        timeZone: readTimeZone(),
        cardId: typed.cardId,
      }),
    explain: (result) => explainWrongPassword(result, messages, [...AMOUNTS, 'password']),
    done: () => void onDone(),
  })
  function keep(event: Parameters<typeof formProps.onInput>[0]) {
    formProps.onInput(event)
    const { name, value } = event.target as HTMLInputElement
    if (name in typed) setTyped({ ...typed, [name]: value })
  }
  return (
    <Dialog title={messages.cards.autoTitle} isBusy={isBusy} onClose={onClose}>
      <form class={styles.form} {...formProps} onInput={keep}>
        <UserName email={email} />
        <FormError text={errors['form']} />
        <div class={styles.pair}>
          {AMOUNTS.map((name, index) => (
            <OptionalField
              key={name}
              name={name}
              label={`${messages.cards[name]} (${currency})`}
              value={first[index] ?? ''}
              error={errors[name]}
            />
          ))}
        </div>
        <CardField cards={cards} value={known?.id ?? ''} />
        <Consent text={consent} />
        <CurrentPasswordField label={messages.fields.password} error={errors['password']} />
        <DialogActions cancel={messages.cancel} submit={messages.save} isBusy={isBusy} />
      </form>
    </Dialog>
  )
}

function toNumber(text: string): number {
  return isAmount(text) ? Number(text) : NaN
}

/** What the person agrees to, with the values of the form. */
function Consent({ text }: { text: string }) {
  const { messages } = usePage()
  return (
    <div>
      <p class={base.muted}>{messages.cards.autoAgree}</p>
      <p role="status">{text}</p>
    </div>
  )
}

function CardField({ cards, value }: { cards: Card[]; value: string }) {
  const { messages } = usePage()
  const nameCard = useCardName()
  const id = useId()
  return (
    <div class={field.field}>
      <label for={id}>{messages.cards.card}</label>
      <div class={field.box}>
        <select id={id} name="cardId">
          {cards.map((card) => (
            <option key={card.id} value={card.id} selected={card.id === value}>
              {nameCard(card)}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}
