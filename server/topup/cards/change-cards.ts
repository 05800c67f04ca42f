import { run } from '../../database/statement.ts'
import { isDefiniteRefusal } from '../../processor/stripe.ts'
import { ServiceError } from '../../service-error.ts'
import { suspendForCard } from '../automatic/queries.ts'
import { callProcessor } from '../call-processor.ts'
import type { TopupTools } from '../topup-tools.ts'
import { findCard } from './list-cards.ts'

export async function setDefaultCard(
  tools: TopupTools,
  userId: bigint,
  cardId: string,
): Promise<void> {
  const card = await findCard(tools, userId, cardId)
  if (card === undefined) throw new ServiceError('CARD_NOT_FOUND')
  const settings = { invoice_settings: { default_payment_method: card.id } }
  await callProcessor(tools, tools.processor.stripe.customers.update(card.customerId, settings))
}

/** Removes every copy of the card. From then on, the processor refuses to charge it. */
export async function removeCard(tools: TopupTools, userId: bigint, cardId: string): Promise<void> {
  const card = await findCard(tools, userId, cardId)
  if (card === undefined) return
  await run(tools.db, suspendForCard(userId, card.ids))
  for (const id of card.ids) {
    const response = tools.processor.stripe.paymentMethods.detach(id)
    const isGone = await response.then(() => false, isDefiniteRefusal)
    if (!isGone) await callProcessor(tools, response)
  }
}
