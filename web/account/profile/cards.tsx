import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Done, FormError, Notice } from '../../ui/notice.tsx'
import { explainAsText } from '../../ui/explain-refusal.ts'
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import type { Card } from '../calls.ts'
import { ButtonLabel } from '../form-parts.tsx'
import { writeMonth } from '../../widget/topup/saved/name-card.ts'
import { usePage } from '../page-context.ts'
import { useCardName, type Cards } from './use-cards.ts'
import * as base from '../../ui/base.module.css'
import * as parts from '../parts.module.css'
import * as styles from './settings.module.css'

export function CardsPart({ cards, reload }: Cards) {
  const { messages } = usePage()
  const [asked, setAsked] = useState<Card | null>(null)
  const [done, setDone] = useState('')
  const nameCard = useCardName()
  async function finish(text: string) {
    await reload()
    setAsked(null)
    setDone(text)
  }
  if (cards === undefined) return <TextPlaceholder length={24} />
  if (cards === null) return <Notice kind="warning">{messages.cards.unread}</Notice>
  return (
    <>
      {done && <Done key={done} text={done} takesFocus />}
      {cards.length === 0 ? (
        <div class={parts.empty}>
          <p>{messages.cards.emptyTitle}</p>
          <p class={base.muted}>{messages.cards.empty}</p>
        </div>
      ) : (
        <ul class={styles.cards}>
          {cards.map((card) => (
            <SavedCard
              key={card.id}
              card={card}
              isOnly={cards.length === 1}
              onRemove={() => setAsked(card)}
              onDefault={() => finish(messages.cards.wasMadeDefault(nameCard(card)))}
            />
          ))}
        </ul>
      )}
      {asked && <RemoveCard card={asked} onClose={() => setAsked(null)} onDone={finish} />}
    </>
  )
}

interface SavedCardProps {
  card: Card
  isOnly: boolean
  onRemove: () => void
  onDefault: () => Promise<void>
}

function SavedCard({ card, isOnly, onRemove, onDefault }: SavedCardProps) {
  const { messages, call } = usePage()
  const name = useCardName()(card)
  const [error, setError] = useState('')
  const [isBusy, makeDefault] = useBusy(async () => {
    setError('')
    const result = await call('POST /api/account/topup/cards/default', { id: card.id })
    if (result.ok) await onDefault()
    else setError(explainAsText(result, messages))
  })
  const month = writeMonth(card)
  const isExpired = new Date(card.expYear, card.expMonth) <= new Date()
  return (
    <li class={styles.card}>
      <div class={styles.cardText}>
        <p class={styles.cardName}>{name}</p>
        <p class={base.muted}>
          {isExpired ? messages.cards.expired(month) : messages.cards.expires(month)}
        </p>
        {card.isDefault && !isOnly && <p class={base.muted}>{messages.cards.isDefault}</p>}
      </div>
      <div class={styles.cardButtons}>
        {!card.isDefault && !isOnly && (
          <Button kind="secondary" isBusy={isBusy} onClick={makeDefault}>
            <ButtonLabel
              short={messages.cards.makeDefault}
              full={messages.cards.makeDefaultNamed(name)}
            />
          </Button>
        )}
        <Button kind="secondary" onClick={onRemove}>
          <ButtonLabel short={messages.cards.remove} full={messages.cards.removeNamed(name)} />
        </Button>
      </div>
      <FormError text={error} />
    </li>
  )
}

interface RemoveCardProps {
  card: Card
  onClose: () => void
  onDone: (text: string) => Promise<void>
}

function RemoveCard({ card, onClose, onDone }: RemoveCardProps) {
  const { messages, call } = usePage()
  const name = useCardName()(card)
  const [error, setError] = useState('')
  const [isBusy, remove] = useBusy(async () => {
    setError('')
    const result = await call('POST /api/account/topup/cards/remove', { id: card.id })
    if (result.ok) await onDone(messages.cards.wasRemoved(name))
    else setError(explainAsText(result, messages))
  })
  return (
    <Dialog
      title={messages.cards.removeTitle(name)}
      isBusy={isBusy}
      isDestructive
      onClose={onClose}
    >
      <p>{messages.cards.removeText}</p>
      <FormError text={error} />
      <DialogActions
        cancel={messages.cancel}
        submit={messages.cards.remove}
        isBusy={isBusy}
        onSubmit={remove}
      />
    </Dialog>
  )
}
