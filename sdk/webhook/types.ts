import type { CofferEvent } from '../event-types.ts'

/** The headers of a request: of Node, of a framework, or a Headers object. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * The event of a webhook request: one of the feed, without a cursor, or a test. In the last branch of a switch over the
 * types, the event is an UnknownEvent: ignore it.
 */
export type WebhookEvent = WithoutCursor<CofferEvent> | PingEvent | UnknownEvent

type WithoutCursor<Event> = Event extends unknown ? Omit<Event, 'cursor'> : never

/** Sent to test an endpoint. It is not in the feed, so it has no sequence. */
export interface PingEvent {
  id: string
  type: 'ping'
  /** ISO 8601, UTC. */
  createdAt: string
  data: Record<string, never>
}

/** An event of a type that a newer service has added. */
export interface UnknownEvent {
  id: string
  sequence?: number
  type: UnknownType
  /** ISO 8601, UTC. */
  createdAt: string
  data: Record<string, unknown>
}

/** Any other type. No literal has this type, so a comparison with a known type selects the event of that type. */
export type UnknownType = `${string}.${string}` & { readonly isUnknown: true }
