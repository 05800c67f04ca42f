import { one } from '../../database/statement.ts'
import { callProcessor } from '../call-processor.ts'
import type { TopupTools } from '../topup-tools.ts'
import { findCustomer } from './customer-queries.ts'

export interface Card {
  id: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
  isDefault: boolean
}

/** A card that the person has saved, perhaps more than once: the processor then has several ids for it. */
export interface StoredCard extends Card {
  customerId: string
  ids: string[]
}

/** For the person. */
export function showCard({ ids: _ids, customerId: _customerId, ...card }: StoredCard): Card {
  return card
}

/** The default card first, then the newest. */
export async function listCards(tools: TopupTools, userId: bigint): Promise<StoredCard[]> {
  const customerId = await one(tools.db, findCustomer(userId))
  if (customerId === undefined) return []
  const { customers, paymentMethods } = tools.processor.stripe
  const [customer, methods] = await callProcessor(
    tools,
    Promise.all([
      customers.retrieve(customerId),
      paymentMethods.list({ customer: customerId, type: 'card', limit: 100 }),
    ]),
  )
  const chosen = customer.deleted ? null : customer.invoice_settings.default_payment_method
  const cards = new Map<string, StoredCard>()
  for (const { id, card } of methods.data) {
    if (card === undefined) continue
    const key = card.fingerprint ?? id
    const known = cards.get(key)
    if (known) {
      known.ids.push(id)
      known.isDefault ||= id === chosen
      continue
    }
    const { brand, last4, exp_month: expMonth, exp_year: expYear } = card
    const isDefault = id === chosen
    cards.set(key, { id, ids: [id], customerId, brand, last4, expMonth, expYear, isDefault })
  }
  return [...cards.values()].toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault))
}

/** undefined: the person has no such card. */
export async function findCard(
  tools: TopupTools,
  userId: bigint,
  cardId: string,
): Promise<StoredCard | undefined> {
  const cards = await listCards(tools, userId)
  return cards.find(({ ids }) => ids.includes(cardId))
}
