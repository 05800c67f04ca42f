import { one } from '../../database/statement.ts'
import { InvalidRequest, ServiceError } from '../../service-error.ts'
import { callProcessor } from '../call-processor.ts'
import type { SavedCard } from '../queries.ts'
import type { TopupTools } from '../topup-tools.ts'
import { findCustomer, insertCustomer } from './customer-queries.ts'
import { findCard } from './list-cards.ts'

/**
 * Returns the saved card that pays, the customer with whom a new card will be saved, or null for a new card that is not
 * saved.
 */
export async function chooseCard(
  tools: TopupTools,
  userId: bigint,
  { cardId, saveCard }: { cardId?: string | undefined; saveCard?: boolean | undefined },
): Promise<SavedCard | null> {
  if (cardId === undefined) {
    return saveCard ? { customerId: await requireCustomer(tools, userId), cardId: null } : null
  }
  if (saveCard) {
    throw new InvalidRequest('The field saveCard must be absent with cardId.', 'saveCard')
  }
  const card = await findCard(tools, userId, cardId)
  if (card === undefined) throw new ServiceError('CARD_NOT_FOUND')
  return { customerId: card.customerId, cardId }
}

/** The processor gets no personal data with the customer. If its response is lost, it keeps an empty one. */
async function requireCustomer(tools: TopupTools, userId: bigint): Promise<string> {
  const { db, processor } = tools
  const known = await one(db, findCustomer(userId))
  if (known !== undefined) return known
  const { id } = await callProcessor(tools, processor.stripe.customers.create())
  return (await one(db, insertCustomer(userId, id))) as string
}
