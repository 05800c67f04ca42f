/** How an app manages its webhooks. */
import type { CofferEvent } from '../event-types.ts'

export interface WebhookInput {
  /** https, with a public address, the port 443 or one from 1024. */
  url: string
  /** Only events of these types; null: all, including types that are added later. */
  types: CofferEvent['type'][] | null
  /** For people, such as "production". */
  description: string
}

export interface WebhookChange extends WebhookInput {
  webhookId: string
  /** Whether it gets events. */
  isEnabled: boolean
}

export interface NewWebhook {
  webhookId: string
  /** For verifyWebhook. It is shown once. */
  secret: string
}

export interface WebhookRotation {
  webhookId: string
  /** How long the old secret signs, too. */
  overlap: 'none' | '1h' | '24h' | '7d'
}

export interface Webhook {
  id: string
  url: string
  /** null: all. */
  types: string[] | null
  description: string
  /** ISO 8601, UTC. */
  createdAt: string
  /** Whether your app created or last changed it itself, with a secret. */
  isOwn: boolean
  /** null: it gets events. */
  disabled: { at: string; reason: 'switched_off' | 'gone' | 'failing' | 'secret_ended' } | null
  /** null: the last delivery succeeded. */
  failingSince: string | null
  /** Deliveries that wait, counted up to 1000. */
  waiting: number
  /** Until then the secret before the last rotation signs, too. null: it does not. */
  oldSecretUntil: string | null
}

export interface DeliveryAttempt {
  at: string
  /** null: there was no response. */
  status: number | null
  /** What to do about it; null: it succeeded. */
  error: string | null
  durationMs: number
  /** The first kilobyte. */
  response: string
}

export interface DeliveriesInput {
  webhookId: string
  state?: Delivery['state'] | undefined
}

export interface Delivery {
  eventId: string
  sequence: number
  type: string
  /** waiting: an attempt follows. failed: no attempt follows. */
  state: 'waiting' | 'delivered' | 'failed'
  /** When the event happened. */
  createdAt: string
  nextAttemptAt: string | null
  /** Oldest first. */
  attempts: DeliveryAttempt[]
  /** What is sent; null: the event is no longer kept. */
  body: string | null
}

/** One event, or all events since a time that the webhook wants. */
export interface ResendInput {
  webhookId: string
  eventId?: string | undefined
  /** ISO 8601. Instead of eventId. */
  since?: string | undefined
}

export interface ResendResult {
  /** How many events are sent again. */
  queued: number
  /** Call again with this time for the rest. null: there is no rest. */
  nextSince: string | null
}
