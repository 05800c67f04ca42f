import { DELIVERIES_MAX } from '@coffer/contract/limits'
import type { Delivery } from '@coffer/contract/server/webhook-shapes'
import type pg from 'pg'
import type { Context } from '../../context.ts'
import { many } from '../../database/statement.ts'
import { showEventId } from '../feed/show-event.ts'
import { InvalidRequest } from '../../service-error.ts'
import {
  listDeliveries as list,
  type DeliveryState,
  type StoredDelivery,
} from './listing-queries.ts'
import { showBody } from './show-body.ts'

interface Search {
  webhookId: string
  ledgerAccount: number
  state: DeliveryState | undefined
  cursor: string | undefined
}

/** Newest events first. The cursor is the number of the last event. */
export async function listDeliveries(
  db: pg.Pool,
  tools: Pick<Context, 'transactionIds' | 'config'>,
  { webhookId, ledgerAccount, state, cursor }: Search,
): Promise<{ deliveries: Delivery[]; nextCursor: string | null }> {
  if (cursor !== undefined && !/^[1-9]\d{0,17}$/.test(cursor)) {
    throw new InvalidRequest(
      'The field cursor must be the nextCursor of the previous page.',
      'cursor',
    )
  }
  const before = cursor === undefined ? undefined : BigInt(cursor)
  const found = await many(db, list(webhookId, { state, before, limit: DELIVERIES_MAX + 1 }))
  const page = found.slice(0, DELIVERIES_MAX)
  const last = page.at(-1)
  return {
    deliveries: page.map((delivery) => showDelivery(tools, ledgerAccount, delivery)),
    nextCursor: found.length > DELIVERIES_MAX && last ? String(last.sequence) : null,
  }
}

function showDelivery(
  tools: Pick<Context, 'transactionIds' | 'config'>,
  ledgerAccount: number,
  { eventId, sequence, event, nextAttemptAt, deliveredAt, createdAt, attempts }: StoredDelivery,
): Delivery {
  const isWaiting = nextAttemptAt !== null
  return {
    eventId: showEventId(eventId),
    sequence: Number(sequence),
    type: event?.type ?? 'unknown',
    state: isWaiting ? 'waiting' : deliveredAt ? 'delivered' : 'failed',
    createdAt: (event?.createdAt ?? createdAt).toISOString(),
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    attempts,
    body: event ? showBody(tools, ledgerAccount, event).body : null,
  }
}
