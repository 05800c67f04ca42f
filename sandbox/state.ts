import { randomInt } from 'node:crypto'
import type Stripe from 'stripe'
import type { TestCard } from './test-cards.ts'

/** A 3-D Secure challenge that the cardholder has not completed or failed yet. */
export type Authentication = {
  id: string
  paymentIntentId: string
  paymentMethodId: string
  returnUrl: string | null
}

/** The first response for an idempotency key; `response` is null while the request is running. */
export type StoredResponse = {
  fingerprint: string
  requestId: string
  response: { status: number; body: string } | null
}

export type Delivery = {
  eventId: string
  eventType: string
  url: string
  attempt: number
  outcome: 'delivered' | 'refused' | 'unreachable' | 'dropped'
  httpStatus: number | null
  at: string
}

/** All data of the sandbox, kept in memory only. */
export type State = {
  paymentIntents: Map<string, Stripe.PaymentIntent>
  paymentMethods: Map<string, Stripe.PaymentMethod>
  charges: Map<string, Stripe.Charge>
  refunds: Map<string, Stripe.Refund>
  disputes: Map<string, Stripe.Dispute>
  balanceTransactions: Map<string, Stripe.BalanceTransaction>
  customers: Map<string, Stripe.Customer>
  events: Map<string, Stripe.Event>
  webhookEndpoints: Map<string, Stripe.WebhookEndpoint>
  webhookSecrets: Map<string, string>
  /** Payment method → how its card behaves. The card number itself is not stored. */
  cards: Map<string, TestCard>
  /** Payment methods that were detached from their customer. Stripe no longer charges them. */
  detached: Set<string>
  authentications: Map<string, Authentication>
  storedResponses: Map<string, StoredResponse>
  deliveries: Delivery[]
  /** The API request being executed. Operations are synchronous, so there is at most one. */
  request: { id: string; idempotency_key: string | null } | null
}

export function createState(): State {
  return {
    paymentIntents: new Map(),
    paymentMethods: new Map(),
    charges: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    balanceTransactions: new Map(),
    customers: new Map(),
    events: new Map(),
    webhookEndpoints: new Map(),
    webhookSecrets: new Map(),
    cards: new Map(),
    detached: new Set(),
    authentications: new Map(),
    storedResponses: new Map(),
    deliveries: [],
    request: null,
  }
}

/** Deletes all payments; the webhook endpoints stay, because they are configuration. */
export function clearState(state: State) {
  const { webhookEndpoints, webhookSecrets, request } = state
  Object.assign(state, createState(), { webhookEndpoints, webhookSecrets, request })
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

export function createId(prefix: string): string {
  return `${prefix}_${randomText(24)}`
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** The id in a field that may also contain the whole object; stored objects always contain the id. */
export function idOf(field: string | { id: string } | null | undefined): string {
  return typeof field === 'string' ? field : (field?.id ?? '')
}
