import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Done } from '../../ui/done.tsx'
import { explainInOneText } from '../../ui/explain-refusal.ts'
import { FormError, Notice } from '../../ui/notice.tsx'
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import type { Card } from '../calls.ts'
import { Named } from '../form-parts.tsx'
import { writeMonth } from '../../widget/topup/saved/name-card.ts'
import { usePage } from '../page-context.ts'
import { useCardName, type Cards } from './use-cards.ts'
import * as base from '../../ui/base.module.css'
import * as parts from '../parts.module.css'
import * as styles from './settings.module.css'

export function CardsPart({ cards, reload }: Cards) {
  const { words } = usePage()
  const texts = words.cards
  const [asked, setAsked] = useState<Card | null>(null)
  const [done, setDone] = useState('')
  const nameCard = useCardName()
  async function finish(text: string) {
    await reload()
    setAsked(null)
    setDone(text)
  }
  if (cards === undefined) return <TextPlaceholder length={24} />
  if (cards === null) return <Notice kind="warning">{texts.unread}</Notice>
  return (
    <>
      {done && <Done key={done} text={done} takesFocus />}
      {cards.length === 0 ? (
        <div class={parts.empty}>
          <p>{texts.emptyTitle}</p>
          <p class={base.muted}>{texts.empty}</p>
        </div>
      ) : (
        <ul class={styles.cards}>
          {cards.map((card) => (
            <SavedCard
              key={card.id}
              card={card}
              isOnly={cards.length === 1}
              onRemove={() => setAsked(card)}
              onDefault={() => finish(texts.wasMadeDefault(nameCard(card)))}
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
  const { words, call } = usePage()
  const texts = words.cards
  const name = useCardName()(card)
  const [error, setError] = useState('')
  const [isBusy, makeDefault] = useBusy(async () => {
    setError('')
    const result = await call('POST /api/account/topup/cards/default', { id: card.id })
    if (result.ok) await onDefault()
    else setError(explainInOneText(result, words))
  })
  const month = writeMonth(card)
  const isExpired = new Date(card.expYear, card.expMonth) <= new Date()
  return (
    <li class={styles.card}>
      <div class={styles.cardText}>
        <p class={styles.cardName}>{name}</p>
        <p class={base.muted}>{isExpired ? texts.expired(month) : texts.expires(month)}</p>
        {card.isDefault && !isOnly && <p class={base.muted}>{texts.isDefault}</p>}
      </div>
      <div class={styles.cardButtons}>
        {!card.isDefault && !isOnly && (
          <Button kind="secondary" isBusy={isBusy} onClick={makeDefault}>
            <Named short={texts.makeDefault} full={texts.makeDefaultNamed(name)} />
          </Button>
        )}
        <Button kind="secondary" onClick={onRemove}>
          <Named short={texts.remove} full={texts.removeNamed(name)} />
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
  const { words, call } = usePage()
  const texts = words.cards
  const name = useCardName()(card)
  const [error, setError] = useState('')
  const [isBusy, remove] = useBusy(async () => {
    setError('')
    const result = await call('POST /api/account/topup/cards/remove', { id: card.id })
    if (result.ok) await onDone(texts.wasRemoved(name))
    else setError(explainInOneText(result, words))
  })
  return (
    <Dialog title={texts.removeTitle(name)} isBusy={isBusy} isDanger onClose={onClose}>
      <p>{texts.removeText}</p>
      <FormError text={error} />
      <DialogActions
        cancel={words.cancel}
        submit={texts.remove}
        isBusy={isBusy}
        onSubmit={remove}
      />
    </Dialog>
  )
}
