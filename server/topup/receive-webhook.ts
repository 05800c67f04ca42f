import { readEvent, type StripeEvent } from '../processor/stripe.ts'
import { ServiceError, WritesPaused } from '../service-error.ts'
import type { TopupTools } from './topup-tools.ts'
import { prune } from '../database/prune.ts'
import { one, run } from '../database/statement.ts'
import { insertEvent, markEventDone, OLD_EVENTS } from './queries.ts'
import { creditIfPaid } from './credit-if-paid.ts'
import { applyDispute } from './apply-dispute.ts'
import { applyRefunds } from './apply-refunds.ts'
import { stopCardTesting } from './stop-card-testing.ts'

/** The events that the service asks the processor for. */
export const EVENT_TYPES = [
  'payment_intent.succeeded',
  'payment_intent.canceled',
  'payment_intent.payment_failed',
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
const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES)

/**
 * If handling fails, the response is an error and the processor sends the event again. Events of other types are
 * accepted and ignored, so that the processor does not send them again.
 */
export async function receiveWebhook(
  tools: TopupTools,
  body: Buffer,
  signature: string,
): Promise<void> {
  const event = readEvent(tools.processor, body, signature, Date.now())
  if (event === undefined) throw new ServiceError('INVALID_SIGNATURE')
  if (!KNOWN.has(event.type)) return
  if (await tools.ledger.readPause()) throw new WritesPaused()
  await handleEvent({ ...tools, reportedBy: 'webhook' }, event)
}

/**
 * Handles an event of the processor. An event is only a hint that something changed: its object is fetched and applied
 * in its current state, so that events may arrive late, twice or in any order.
 */
export async function handleEvent(tools: TopupTools, event: StripeEvent): Promise<void> {
  const isDone = await one(tools.db, insertEvent(event.id, event.type))
  if (isDone) return
  await applyEvent(tools, event)
  await run(tools.db, markEventDone(event.id))
}

async function applyEvent(
  tools: TopupTools,
  { id: eventId, type, data }: StripeEvent,
): Promise<void> {
  const { id, payment_intent: intentId } = data.object as {
    id: string
    payment_intent?: string | null
  }
  if (type === 'payment_intent.payment_failed') await stopCardTesting(tools, eventId, id)
  else if (type.startsWith('payment_intent.')) await creditIfPaid(tools, id)
  else if (type.startsWith('charge.dispute.')) await applyDispute(tools, id)
  else if (typeof intentId !== 'string') return
  // The processor books its fee after the payment and sends this event for it.
  else if (type === 'charge.updated') await creditIfPaid(tools, intentId)
  else await applyRefunds(tools, intentId)
}

export function pruneEvents({ db }: Pick<TopupTools, 'db'>): Promise<number> {
  return prune(db, OLD_EVENTS)
}
