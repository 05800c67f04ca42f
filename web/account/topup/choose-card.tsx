import { useEffect, useId, useState } from 'preact/hooks'
import { repeatLimited } from '../../widget/topup/repeat-limited.ts'
import { CardList, nameSaved, type Card } from '../../widget/topup/saved/card-list.tsx'
import { chosen } from '../../widget/topup/saved/chosen.ts'
import type { OwnCardMessages } from './messages.ts'
import { call } from './calls.ts'
import * as base from '../../ui/base.module.css'
import * as styles from './choose-card.module.css'

const NEW = 'new'

/** The default card is chosen. A new one is saved only if the person says so. */
export function createChooseCard(messages: OwnCardMessages) {
  return function ChooseCard() {
    const [cards, setCards] = useState<Card[]>([])
    const [picked, setPicked] = useState(chosen.choice.cardId ?? NEW)
    const [saves, setSaves] = useState(chosen.choice.saveCard ?? false)
    const id = useId()
    useEffect(() => {
      const leaving = new AbortController()
      async function read() {
        const found = await readCards()
        if (leaving.signal.aborted) return
        setCards(found)
        if (picked === NEW && !saves && found[0]) setPicked(found[0].id)
      }
      void read()
      return () => leaving.abort()
    }, [])
    const card = cards.find((each) => each.id === picked)
    useEffect(() => {
      if (card) chosen.choice = { cardId: card.id, name: nameSaved(messages, card) }
      else chosen.choice = saves ? { saveCard: true } : {}
    }, [card, saves])
    return (
      <>
        {cards.length > 0 && (
          <CardList
            messages={messages}
            cards={cards}
            picked={card}
            pick={(next) => setPicked(next?.id ?? NEW)}
          />
        )}
        {!card && (
          <div class={styles.save}>
            <label>
              <input
                type="checkbox"
                checked={saves}
                aria-describedby={id}
                onChange={(event) => setSaves(event.currentTarget.checked)}
              />
              <span>{messages.save}</span>
            </label>
            <p class={base.muted} id={id}>
              {messages.saveHint}
            </p>
          </div>
        )}
      </>
    )
  }
}

/** Without a response there are no saved cards: the person can enter one. */
async function readCards(): Promise<Card[]> {
  const result = await repeatLimited(() => call('GET /api/account/topup/cards'))
  return result.ok ? result.data.cards : []
}
