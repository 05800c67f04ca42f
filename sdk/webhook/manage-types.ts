/** How an app manages its webhooks. */
import type { CofferEvent } from '../event-types.ts'

export interface WebhookInput {
  /** https, with a public address, on port 443 or a port of 1024 or higher. */
  url: string
  /** Only events of these types; null: all, including types that are added later. */
  types: CofferEvent['type'][] | null
  /** A label that you choose, such as "production". */
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
  /** How long requests are also signed with the old secret. */
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
  /** Whether your app, not an operator, created or last changed the webhook. */
  isOwn: boolean
  /** null: it gets events. */
  disabled: { at: string; reason: 'switched_off' | 'gone' | 'failing' | 'secret_ended' } | null
  /** null: the last delivery succeeded. */
  failingSince: string | null
  /** The number of queued deliveries, counted up to 1000. */
  waiting: number
  /** Until this time, requests are also signed with the previous secret. null: only with the current one. */
  oldSecretUntil: string | null
}

export interface DeliveryAttempt {
  at: string
  /** null: there was no response. */
  status: number | null
  /** The reason and what to do. null: the attempt succeeded. */
  error: string | null
  durationMs: number
  /** The first kilobyte of the response. */
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
  /** The body of the request. null: the event is no longer stored. */
  body: string | null
}

/** Either one event, or all events since a time whose types the webhook receives. */
export interface ResendInput {
  webhookId: string
  eventId?: string | undefined
  /** ISO 8601. Instead of eventId. */
  since?: string | undefined
}

export interface ResendResult {
  /** How many events are sent again. */
  queued: number
  /** To send the remaining events, call again with this time. null: no events remain. */
  nextSince: string | null
}
