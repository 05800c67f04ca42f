/** The events of the feed. */
import type { Reference } from './types.ts'

export interface EventsInput {
  /** The cursor of the last event that you have processed. Without it: all events that the service keeps. */
  after?: string | null | undefined
  /** Only events of these types. */
  types?: readonly CofferEvent['type'][] | undefined
  /** Ends the iteration when it is aborted. */
  signal?: AbortSignal | undefined
}

/**
 * An event that your app did not cause itself. A newer service may send types that are not listed here: ignore them. The
 * same event can arrive again, with the same id.
 */
export type CofferEvent =
  | FeedEvent<'topup.credited', TopupCreditedData>
  | FeedEvent<'balance.changed', BalanceChanged>
  | FeedEvent<'link.created', UserEventData>
  | FeedEvent<'link.ended', LinkEnded>
  | FeedEvent<'wallet.frozen', UserEventData>
  | FeedEvent<'wallet.unfrozen', UserEventData>
  | FeedEvent<'hold.expired', HoldExpired>
  | FeedEvent<'client_app.secret_rotated', SecretRotatedData>
  | FeedEvent<'client_app.changed', ClientAppChangedData>
  | FeedEvent<'webhook.disabled', WebhookDisabled>

export interface FeedEvent<Type extends string, Data> {
  id: string
  /** 1, 2, 3, … for your app, without gaps unless you select types. */
  sequence: number
  type: Type
  /** ISO 8601, UTC. */
  createdAt: string
  data: Data
  /** Continues after this event. Store it when you have processed the event. */
  cursor: string
}

export interface UserEventData {
  serviceUserId: string
}

export interface TopupCreditedData extends UserEventData {
  topupId: string
  /** The id of the entry in the history. */
  transactionId: string
  /** The amount that was paid by card, in major units. */
  amount: number
  currency: string
  /** The balance right after the top-up. */
  balance: number
}

export interface BalanceChanged extends UserEventData {
  /** The balance at createdAt, in major units. A response to an operation of your app can be newer. */
  balance: number
  currency: string
}

export interface LinkEnded extends UserEventData {
  /** user: the person unlinked your app. erasure: the account is being deleted. */
  reason: 'user' | 'erasure'
}

export interface HoldExpired {
  /** undefined: the user has unlinked your app. */
  serviceUserId?: string | undefined
  /** The reference of the hold. */
  hold: Reference
  /** The amount that was released, in major units. */
  amount: number
  currency: string
}

export interface SecretRotatedData {
  /** rotated: there is a new secret. revoked: one or all secrets were revoked without a new one. */
  change: 'rotated' | 'revoked'
}

export interface ClientAppChangedData {
  /** The names of the settings, such as allowedOrigins. */
  changes: string[]
}

export interface WebhookDisabled {
  webhookId: string
  /**
   * gone: the receiver responded with 410. failing: every delivery failed for five days. secret_ended: the client secret
   * that created or last changed it was revoked.
   */
  reason: 'gone' | 'failing' | 'secret_ended'
}
