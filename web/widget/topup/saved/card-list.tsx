import type { listCards } from '@coffer/contract/account/cards'
import { nameBrand, writeMonth } from './name-card.ts'
import type { ResponseOf } from '../../../ui/request.ts'
import type { CardTexts } from './messages.ts'
import * as base from '../../../ui/base.module.css'
import * as styles from './card-list.module.css'

export type Card = ResponseOf<typeof listCards>['cards'][number]

export function nameSaved(texts: CardTexts, { brand, last4 }: Card): string {
  return texts.named(nameBrand(brand), last4)
}

interface CardListProps {
  texts: CardTexts
  cards: Card[]
  /** undefined: another card, which the person enters. */
  picked: Card | undefined
  pick: (card: Card | undefined) => void
}

export function CardList({ texts, cards, picked, pick }: CardListProps) {
  return (
    <fieldset class={styles.cards}>
      <legend>{texts.payWith}</legend>
      {cards.map((card) => (
        <label key={card.id}>
          <input
            type="radio"
            name="card"
            checked={picked?.id === card.id}
            onChange={() => pick(card)}
          />
          <span>
            {nameSaved(texts, card)}
            <small class={base.muted}>{texts.expires(writeMonth(card))}</small>
          </span>
        </label>
      ))}
      <label>
        <input type="radio" name="card" checked={!picked} onChange={() => pick(undefined)} />
        <span>{texts.newCard}</span>
      </label>
    </fieldset>
  )
}
