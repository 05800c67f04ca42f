/**
 * Moves the session and what a bank's redirect brought out of the address before the processor's script is loaded,
 * because that reports the addresses of pages. The history's state survives a reload.
 */

export interface Payment {
  clientSecret: string
  publishableKey: string
  /** Decimal text in major units; not known after a redirect until the processor tells it. */
  amount?: string
}

export interface TopupAddress {
  session?: string
  payment?: Payment
}

const CLIENT_SECRET = /^\w+_secret_\w+$/

export function takeTopupAddress(clientId: string, publishableKey: string): TopupAddress {
  const query = new URLSearchParams(location.search)
  const kept = (history.state ?? {}) as TopupAddress
  const session = query.get('session') || kept.session
  const returned = query.get('payment_intent_client_secret')
  const payment =
    returned !== null && CLIENT_SECRET.test(returned)
      ? { clientSecret: returned, publishableKey }
      : kept.payment
  const address = { ...(session && { session }), ...(payment && { payment }) }
  history.replaceState(address, '', topupPath(clientId))
  return address
}

/** So that a reload in mid-payment goes on where it was. */
export function keepPayment(payment: Payment) {
  history.replaceState({ ...(history.state as TopupAddress | null), payment }, '')
}

export function topupPath(clientId: string): string {
  return `/widget/topup?clientId=${encodeURIComponent(clientId)}`
}

export function intentIdOf({ clientSecret }: Payment): string {
  return clientSecret.split('_secret_')[0] ?? ''
}
