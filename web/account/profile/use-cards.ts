/** The saved cards, which the processor stores, and the automatic top-up, which the service stores. */
import { useEffect, useState } from 'preact/hooks'
import type { Automatic, Card } from '../calls.ts'
import { nameBrand } from '../../widget/topup/saved/name-card.ts'
import { usePage } from '../page-context.ts'
import { repeatLimited } from '../../widget/topup/repeat-limited.ts'

export interface Cards {
  /** undefined until known; null: the processor does not respond. */
  cards: Card[] | null | undefined
  automatic: Automatic | null | undefined
  reload: () => Promise<void>
}

export function useCards(): Cards {
  const { call } = usePage()
  const [cards, setCards] = useState<Card[] | null>()
  const [automatic, setAutomatic] = useState<Automatic | null>()
  async function reload() {
    const [listed, terms] = await Promise.all([
      repeatLimited(() => call('GET /api/account/topup/cards')),
      call('GET /api/account/automatic-topup'),
    ])
    setCards(listed.ok ? listed.data.cards : null)
    setAutomatic(terms.ok ? terms.data : null)
  }
  useEffect(() => void reload(), [])
  return { cards, automatic, reload }
}

export function useCardName(): (card: Pick<Card, 'brand' | 'last4'>) => string {
  const { messages } = usePage()
  return ({ brand, last4 }) => messages.cards.named(nameBrand(brand), last4)
}
