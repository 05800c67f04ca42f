import type { listCards } from '@coffer/contract/account/cards'
import { nameBrand, writeMonth } from './name-card.ts'
import type { ResponseOf } from '../../../ui/request.ts'
import type { SavedCardMessages } from './messages.ts'
import * as base from '../../../ui/base.module.css'
import * as styles from './card-list.module.css'

export type Card = ResponseOf<typeof listCards>['cards'][number]

export function nameSaved(messages: SavedCardMessages, { brand, last4 }: Card): string {
  return messages.named(nameBrand(brand), last4)
}

interface CardListProps {
  messages: SavedCardMessages
  cards: Card[]
  /** undefined: another card, which the person enters. */
  picked: Card | undefined
  pick: (card: Card | undefined) => void
}

export function CardList({ messages, cards, picked, pick }: CardListProps) {
  return (
    <fieldset class={styles.cards}>
      <legend>{messages.payWith}</legend>
      {cards.map((card) => (
        <label key={card.id}>
          <input
            type="radio"
            name="card"
            checked={picked?.id === card.id}
            onChange={() => pick(card)}
          />
          <span>
            {nameSaved(messages, card)}
            <small class={base.muted}>{messages.expires(writeMonth(card))}</small>
          </span>
        </label>
      ))}
      <label>
        <input type="radio" name="card" checked={!picked} onChange={() => pick(undefined)} />
        <span>{messages.newCard}</span>
      </label>
    </fieldset>
  )
}
