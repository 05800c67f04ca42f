/**
 * Takes the money for an order, exactly once. The attempt is stored before the call, so that after a crash or a lost
 * response the same reference is sent again. A refused attempt is final: the next attempt gets a new reference.
 */
import { isCofferError, type Coffer } from '@coffer/sdk'
import { findWeighedPrice } from './products.ts'
import type { Order, Store, User } from './store.ts'

export type PayResult =
  | 'paid'
  | 'insufficient'
  | 'limited'
  | 'frozen'
  | 'unlinked'
  | 'unknown'
  | 'try-again'
  | 'reference-used'

interface Tools {
  coffer: Coffer
  store: Store
}

export async function payOrder(
  tools: Tools,
  user: User,
  order: Order,
): Promise<PayResult | undefined> {
  const { coffer, store } = tools
  // An order that is sold by weight is reserved first.
  if (findWeighedPrice(order) !== undefined) return undefined
  if (order.status !== 'open') return 'paid'
  const pay = (payment: Payment) => coffer.debit({ ...payment, description: order.item })
  const paid = await attemptPayment(tools, user, order, attemptReference, pay)
  if (typeof paid === 'string') return paid
  store.markPaid(order, paid.attempt)
  return 'paid'
}

export interface Payment {
  serviceUserId: string
  amount: string
  referenceType: string
  referenceId: string
}

/** Pays or reserves the price with the open attempt. Returns the number of the attempt, or the reason why it failed. */
export async function attemptPayment(
  { store }: Tools,
  user: User,
  order: Order,
  createReference: typeof attemptReference,
  pay: (payment: Payment) => Promise<unknown>,
): Promise<{ attempt: number } | Exclude<PayResult, 'paid'>> {
  if (user.serviceUserId === undefined) return 'unlinked'
  const { serviceUserId } = user
  const attempt = store.beginAttempt(order, serviceUserId)
  const payment = { amount: order.price, ...createReference(order, attempt) }
  const wallets = () => store.listAttemptWallets(order, attempt)
  try {
    await payFromLinkedWallet(
      (id) => pay({ ...payment, serviceUserId: id }),
      serviceUserId,
      wallets,
    )
    return { attempt }
  } catch (error) {
    if (isCofferError(error, 'REPLAY_MISMATCH')) {
      // Another payment has this reference. The order is not paid, and nothing was executed now.
      if (error.original.status === 'posted') return 'reference-used'
      store.markRefused(order, attempt)
      return 'try-again'
    }
    if (isCofferError(error, 'INSUFFICIENT_BALANCE')) {
      store.markRefused(order, attempt)
      return 'insufficient'
    }
    if (isCofferError(error, 'SPEND_LIMIT_EXCEEDED')) {
      store.markRefused(order, attempt)
      return 'limited'
    }
    if (isCofferError(error, 'WALLET_INACTIVE')) {
      store.markRefused(order, attempt)
      return 'frozen'
    }
    if (isCofferError(error, 'USER_NOT_FOUND')) {
      store.removeLink(user)
      return 'unlinked'
    }
    // The attempt stays pending: "Pay" sends the same reference again and gets the outcome.
    if (isCofferError(error, 'OUTCOME_UNKNOWN') || isCofferError(error, 'SERVICE_UNAVAILABLE')) {
      return 'unknown'
    }
    throw error
  }
}

/** The reference of an attempt. The payment uses it, and refunds name it. */
export function attemptReference(order: Order, attempt: number) {
  return {
    referenceType: 'ORDER_PAYMENT',
    referenceId: `order-${order.id}-attempt-${attempt}`,
  }
}

/** Debits the wallet that is linked now, unless a wallet that was linked at an earlier press has already paid. */
async function payFromLinkedWallet(
  pay: (serviceUserId: string) => Promise<unknown>,
  serviceUserId: string,
  listWallets: () => string[],
): Promise<void> {
  try {
    await pay(serviceUserId)
  } catch (error) {
    if (!isCofferError(error, 'REPLAY_MISMATCH') || error.original.status === 'refused') throw error
    // The reference has a recorded outcome, so sending it again moves no money. Only a request for the wallet that paid
    // gets the outcome without a mismatch.
    for (const earlier of listWallets()) {
      if (await isReplayed(pay(earlier))) return
    }
    throw error
  }
}

async function isReplayed(paying: Promise<unknown>): Promise<boolean> {
  try {
    await paying
    return true
  } catch (error) {
    if (isCofferError(error, 'REPLAY_MISMATCH')) return false
    throw error
  }
}
