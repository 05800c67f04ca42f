import type { Delivery } from '@coffer/contract/server/webhook-shapes'
import { DELIVERY_DAYS } from '@coffer/contract/limits'
import type { Expired } from '../../database/prune.ts'
import type { Statement } from '../../database/statement.ts'
import type { StoredEvent } from '../feed/queries.ts'

export type DeliveryState = Delivery['state']

export interface StoredDelivery {
  eventId: string
  sequence: bigint
  createdAt: Date
  nextAttemptAt: Date | null
  deliveredAt: Date | null
  attempts: Delivery['attempts']
  /** undefined: it is no longer kept. */
  event: StoredEvent | undefined
}

interface DeliveryRow {
  event_id: string
  sequence: bigint
  created_at: Date
  next_attempt_at: Date | null
  delivered_at: Date | null
  attempts: Delivery['attempts']
  type: string | null
  data: Record<string, unknown> | null
  happened_at: Date | null
}

const STATES: Record<DeliveryState, string> = {
  waiting: 'd.next_attempt_at is not null',
  delivered: 'd.next_attempt_at is null and d.delivered_at is not null',
  failed: 'd.next_attempt_at is null and d.delivered_at is null',
}

export function listDeliveries(
  webhookId: string,
  page: { state: DeliveryState | undefined; before: bigint | undefined; limit: number },
): Statement<StoredDelivery> {
  const { state, before = null, limit } = page
  return {
    text: `select d.event_id, d.sequence, d.created_at, d.next_attempt_at, d.delivered_at, d.attempts,
        e.type, e.data, e.created_at as happened_at
      from events.deliveries d
      left join events.events e on e.client_app_id = d.client_app_id and e.sequence = d.sequence
        and e.recorded_at = d.recorded_at
      where d.webhook_id = $1 and ($2::bigint is null or d.sequence < $2) and ${state ? STATES[state] : 'true'}
      order by d.sequence desc limit $3`,
    values: [webhookId, before, limit],
    read: readDelivery,
  }
}

function readDelivery(row: DeliveryRow): StoredDelivery {
  const { event_id: eventId, sequence, type, data, happened_at: happenedAt } = row
  return {
    eventId,
    sequence,
    createdAt: row.created_at,
    nextAttemptAt: row.next_attempt_at,
    deliveredAt: row.delivered_at,
    attempts: row.attempts,
    event:
      type !== null && data !== null && happenedAt !== null
        ? { id: eventId, sequence, type, data, createdAt: happenedAt }
        : undefined,
  }
}

interface Queued {
  queued: number
  /** When the last of them got its number. */
  last: Date | null
}

const AGAIN = 'next_attempt_at = now(), delivered_at = null, failures = 0, created_at = now()'

/** The delivery starts from the beginning. */
export function queueOne(webhookId: string, eventId: string) {
  return {
    text: `update events.deliveries set ${AGAIN} where webhook_id = $1 and event_id = $2`,
    values: [webhookId, eventId],
  }
}

/** The events that the webhook wants, oldest first. A delivery that exists starts from the beginning. */
export function queueSince(webhookId: string, since: Date, limit: number): Statement<Queued> {
  return {
    text: `with chosen as (
        select e.* from events.webhooks w join events.events e on e.client_app_id = w.client_app_id
        where w.id = $1 and (w.types is null or e.type = any(w.types)) and e.recorded_at >= $2
        order by e.recorded_at, e.sequence limit $3
      ), queued as (
        insert into events.deliveries as d
          (webhook_id, event_id, client_app_id, sequence, recorded_at, next_attempt_at)
        select $1, id, client_app_id, sequence, recorded_at, now() from chosen
        on conflict (webhook_id, event_id) do update set ${AGAIN}
        returning 1
      )
      select (select count(*) from queued) as queued, (select max(recorded_at) from chosen) as last`,
    values: [webhookId, since, limit],
    read: (row: { queued: bigint; last: Date | null }) => ({
      queued: Number(row.queued),
      last: row.last,
    }),
  }
}

export function setDue(webhookId: string) {
  return {
    text: 'update events.webhooks set due_at = least(due_at, now()) where id = $1',
    values: [webhookId],
  }
}

export const OLD_DELIVERIES: Expired = {
  table: 'events.deliveries',
  where: `created_at < now() - interval '${DELIVERY_DAYS} days'`,
}
