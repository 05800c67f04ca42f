/** The card processor as the model knows it: payments, cards, refunds and disputes, and calls that get lost. */

export type IntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'succeeded'
  | 'canceled'

/** Test cards of the sandbox by what they do. */
export type CardName = 'visa' | 'mastercard' | 'asks' | 'declined' | 'pending' | 'refundFails'
export type Bank = 'good' | 'declined' | 'asks'

/** A card that the processor keeps for a person. The same card saved twice is two of them. */
export interface SavedCard {
  card: CardName
  bank: Bank
  isGone: boolean
  isDefault: boolean
}

export interface CardRefund {
  /** Of ours, the id that the caller made; of others, the processor's. */
  key: string
  amount: number
  status: 'succeeded' | 'pending' | 'failed'
  isOurs: boolean
}

export interface Dispute {
  amount: number
  status: string
  isRefundable: boolean
  isWithdrawn: boolean
  isReinstated: boolean
}

export interface Intent {
  amount: number
  status: IntentStatus
  /** Why the last attempt failed. */
  error: 'declined' | 'authentication' | null
  /** The saved card with which it was created. */
  saved: SavedCard | null
  saves: boolean
  paidWith: CardName | null
  /** The card of an attempt that has no outcome yet. */
  pending: { card: CardName; bank: Bank; saved: SavedCard | null } | null
  refunds: CardRefund[]
  dispute: Dispute | null
}

/** The call got no response, whether the processor executed it or not. */
export class Lost extends Error {}
/** The processor refuses, and a repeat would not help. */
export class Refused extends Error {}

export interface Fault {
  route: string
  isExecuted: boolean
}

export const ROUTE = {
  createIntent: 'POST /v1/payment_intents',
  readIntent: 'GET /v1/payment_intents/:id',
  confirm: 'POST /v1/payment_intents/:id/confirm',
  cancel: 'POST /v1/payment_intents/:id/cancel',
  createRefund: 'POST /v1/refunds',
  listRefunds: 'GET /v1/refunds',
  readDispute: 'GET /v1/disputes/:id',
  listEvents: 'GET /v1/events',
  createCustomer: 'POST /v1/customers',
  updateCustomer: 'POST /v1/customers/:id',
  deleteCustomer: 'DELETE /v1/customers/:id',
  listCards: 'GET /v1/payment_methods',
  detach: 'POST /v1/payment_methods/:id/detach',
} as const

const CANCELABLE: readonly IntentStatus[] = [
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
]

export function isCancelable({ status }: Intent): boolean {
  return CANCELABLE.includes(status)
}

export class Processor {
  /** Every call of this route gets no response. */
  fault: Fault | null = null

  call<Result>(route: string, execute: () => Result): Result {
    if (this.fault?.route !== route) return execute()
    if (this.fault.isExecuted) {
      try {
        execute()
      } catch (error) {
        if (!(error instanceof Refused)) throw error
      }
    }
    throw new Lost()
  }

  createIntent(amount: number, saved: SavedCard | null, saves: boolean): Intent {
    if (saved?.isGone) throw new Refused()
    const status = saved ? 'requires_confirmation' : 'requires_payment_method'
    const outcome = { error: null, paidWith: null, pending: null, refunds: [], dispute: null }
    return { amount, status, saved, saves, ...outcome }
  }

  cancel(intent: Intent) {
    if (!isCancelable(intent)) throw new Refused()
    intent.status = 'canceled'
  }

  /** Without the card holder. */
  chargeUnattended(intent: Intent, isSlow: boolean) {
    if (!isCancelable(intent) || !intent.saved || intent.saved.isGone) throw new Refused()
    const { saved } = intent
    const { card } = saved
    if (saved.bank === 'asks') return fail(intent, 'authentication')
    this.#attempt(intent, { card, bank: saved.bank, saved }, isSlow)
  }

  /** The card holder pays in the window. Returns the card if it is saved now. */
  pay(
    intent: Intent,
    attempt: { card: CardName; bank: Bank; saved: SavedCard | null },
    challenge: 'passed' | 'failed' | 'open',
    isSlow: boolean,
  ): SavedCard | null {
    if (attempt.saved?.isGone) return null
    intent.error = null
    if (attempt.bank === 'asks' && challenge === 'failed') fail(intent, 'declined')
    else if (attempt.bank === 'asks' && challenge === 'open') intent.status = 'requires_action'
    else return this.#attempt(intent, attempt, isSlow)
    return null
  }

  /** The end of a payment that the bank was processing. */
  endProcessing(intent: Intent): SavedCard | null {
    return intent.pending && this.#attempt(intent, intent.pending, false)
  }

  #attempt(intent: Intent, attempt: NonNullable<Intent['pending']>, isSlow: boolean) {
    intent.pending = isSlow ? attempt : null
    if (isSlow) intent.status = 'processing'
    // A saved card is charged as its bank decides now.
    else if ((attempt.saved ?? attempt).bank === 'declined') fail(intent, 'declined')
    else {
      intent.status = 'succeeded'
      intent.error = null
      intent.paidWith = attempt.card
      const { card, bank } = attempt
      if (intent.saves && !attempt.saved) return { card, bank, isGone: false, isDefault: false }
    }
    return null
  }

  /** Returns the refund as the response shows it, which may be older than its state. */
  refund(intent: Intent, key: string, amount: number, isOurs: boolean): CardRefund {
    const known = intent.refunds.find((refund) => isOurs && refund.key === key)
    if (known) return { ...known, status: intent.paidWith === 'pending' ? 'pending' : 'succeeded' }
    const isRefundable = intent.status === 'succeeded' && (intent.dispute?.isRefundable ?? true)
    if (!isRefundable || amount > unrefundedOf(intent)) throw new Refused()
    const status = intent.paidWith === 'pending' ? 'pending' : 'succeeded'
    const refund: CardRefund = { key, amount, status, isOurs }
    intent.refunds.push(refund)
    const response = { ...refund }
    if (intent.paidWith === 'refundFails') refund.status = 'failed'
    return response
  }
}

export function unrefundedOf({ amount, refunds }: Intent): number {
  const sent = refunds.filter(({ status }) => status !== 'failed')
  return amount - sent.reduce((sum, refund) => sum + refund.amount, 0)
}

/** What the processor moved for this payment, without fees. */
export function movedBy({ status, amount, refunds, dispute }: Intent): number {
  const paid = status === 'succeeded' ? amount : 0
  const refunded = refunds.reduce(
    (sum, each) => sum + (each.status === 'failed' ? 0 : each.amount),
    0,
  )
  const taken = dispute?.isWithdrawn && !dispute.isReinstated ? dispute.amount : 0
  return paid - refunded - taken
}

function fail(intent: Intent, error: Intent['error']) {
  intent.status = 'requires_payment_method'
  intent.error = error
}
