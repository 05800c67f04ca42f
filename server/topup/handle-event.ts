/**
 * What an event of the processor makes us do. An event is only a hint that something changed: what it is about is
 * fetched and brought to our books as it stands now, so that events may come late, twice or in any order.
 */
import type { StripeEvent } from '../processor/stripe.ts'
import { DELETE_OLD_EVENTS, insertEvent, markEventDone } from './queries.ts'
import { settle, type TopupTools } from './settle.ts'
import { settleDispute } from './settle-dispute.ts'
import { settleRefunds } from './settle-refunds.ts'

export const EVENT_TYPES = [
  'payment_intent.succeeded',
  'payment_intent.canceled',
  'charge.updated',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
] as const

export async function handleEvent(tools: TopupTools, event: StripeEvent): Promise<void> {
  const { rows } = await tools.db.query<{ is_done: boolean }>(insertEvent(event.id, event.type))
  if (rows[0]?.is_done) return
  await bringHome(tools, event)
  await tools.db.query(markEventDone(event.id))
}

async function bringHome(tools: TopupTools, { type, data }: StripeEvent): Promise<void> {
  const { id, payment_intent: intentId } = data.object as {
    id: string
    payment_intent?: string | null
  }
  if (type.startsWith('payment_intent.')) await settle(tools, id)
  else if (type.startsWith('charge.dispute.')) await settleDispute(tools, id)
  else if (typeof intentId !== 'string') return
  // The processor books its fee after the payment, and says so by this.
  else if (type === 'charge.updated') await settle(tools, intentId)
  else await settleRefunds(tools, intentId)
}

export async function pruneEvents({ db }: Pick<TopupTools, 'db'>): Promise<void> {
  await db.query(DELETE_OLD_EVENTS)
}
