/**
 * Moves the session and what a bank's redirect brought out of the address before the processor's script is loaded,
 * because that reports the addresses of pages. The history's state survives a reload.
 */
import type { WalletOwner } from '@coffer/contract/shapes'

/**
 * Anybody can put a payment of their own into the address and send the link to somebody else. So the page shows the
 * result of such a payment and nothing else; it takes a card only for a payment that it started itself.
 */
export interface Payment {
  clientSecret: string
  publishableKey: string
  /** Decimal text in major units; not known after a redirect until the processor returns it. */
  amount?: string
  /** Whose wallet the payment credits. Only a payment that this page started with its session has an owner. */
  owner?: WalletOwner
  /** How the person pays. */
  choice?: CardChoice
}

/** A saved card, or whether a new one is saved. */
export interface CardChoice {
  cardId?: string
  /** What the person sees of the saved card. */
  name?: string
  saveCard?: true
}

export type StartedPayment = Payment & Required<Pick<Payment, 'amount' | 'owner'>>

export function isStarted(payment: Payment | undefined): payment is StartedPayment {
  return payment?.owner !== undefined && payment.amount !== undefined
}

export interface TopupAddress {
  session?: string
  /** What the app suggests, as decimal text. */
  amount?: string
  payment?: Payment
  /** Anybody may have sent the link with the session, and the visitor has not confirmed the wallet yet. */
  isUnconfirmed?: true
}

const AMOUNT = /^\d{1,9}(?:\.\d{1,3})?$/
const CLIENT_SECRET = /^\w+_secret_\w+$/

/** `rest`: what stays in the URL. `isFromLink`: see `isFromLink` in parent.ts. */
export function takeTopupAddress(
  rest: string,
  publishableKey: string,
  isFromLink: boolean,
): TopupAddress {
  const query = new URLSearchParams(location.search)
  const given = query.get('session')
  // The stored payment belongs to the session that it was stored with.
  const kept = (given ? {} : (history.state ?? {})) as TopupAddress
  const session = given || kept.session
  const payment = readReturned(query, publishableKey) ?? kept.payment
  const isUnconfirmed = given ? isFromLink : kept.isUnconfirmed
  const amount = query.get('amount') ?? kept.amount ?? ''
  const address: TopupAddress = {
    ...(session && { session }),
    ...(AMOUNT.test(amount) && { amount }),
    ...(payment && { payment }),
    ...(isUnconfirmed && { isUnconfirmed }),
  }
  history.replaceState(address, '', topupPath(rest))
  return address
}

/** The payment that a bank's redirect brought. */
export function readReturned(query: URLSearchParams, publishableKey: string): Payment | undefined {
  const clientSecret = query.get('payment_intent_client_secret') ?? ''
  return CLIENT_SECRET.test(clientSecret) ? { clientSecret, publishableKey } : undefined
}

/** Lets a reload during a payment continue where it was. */
export function keepPayment(payment: StartedPayment) {
  history.replaceState({ ...(history.state as TopupAddress | null), payment }, '')
}

export function forgetPayment() {
  const { session, isUnconfirmed } = (history.state ?? {}) as TopupAddress
  history.replaceState({ ...(session && { session }), ...(isUnconfirmed && { isUnconfirmed }) }, '')
}

export function topupPath(query: string): string {
  return `/widget/topup?${query}`
}

export function intentIdOf({ clientSecret }: Payment): string {
  return clientSecret.split('_secret_')[0] ?? ''
}
