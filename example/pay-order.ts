/**
 * Takes the money for an order, exactly once. The attempt is stored before the call, so that after a crash or a lost
 * response the same reference is sent again. A refused attempt is over: the next one gets a reference of its own.
 */
import { isCofferError, type Coffer } from '@coffer/sdk'
import type { Order, Store, User } from './store.ts'

export type PayResult =
  'paid' | 'insufficient' | 'frozen' | 'unlinked' | 'unknown' | 'try-again' | 'reference-used'

interface Tools {
  coffer: Coffer
  store: Store
}

export async function payOrder(tools: Tools, user: User, order: Order): Promise<PayResult> {
  const { store } = tools
  if (order.status !== 'open') return 'paid'
  if (user.serviceUserId === undefined) return 'unlinked'
  const attempt = store.beginAttempt(order, user.serviceUserId)
  try {
    await takeMoney(tools, order, attempt, user.serviceUserId)
    store.markPaid(order, attempt)
    return 'paid'
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
    if (isCofferError(error, 'WALLET_INACTIVE')) {
      store.markRefused(order, attempt)
      return 'frozen'
    }
    if (isCofferError(error, 'USER_NOT_FOUND')) {
      store.removeLink(user)
      return 'unlinked'
    }
    // The attempt stays pending: "Pay" sends the same reference again and learns the outcome.
    if (isCofferError(error, 'OUTCOME_UNKNOWN') || isCofferError(error, 'SERVICE_UNAVAILABLE')) {
      return 'unknown'
    }
    throw error
  }
}

/** The reference of an attempt: of its payment, and in refunds. */
export function nameAttempt(order: Order, attempt: number) {
  return {
    referenceType: 'ORDER_PAYMENT',
    referenceId: `order-${order.id}-attempt-${attempt}`,
  }
}

/** Debits the wallet that is linked now, unless one that was linked at an earlier press has paid already. */
async function takeMoney(
  { coffer, store }: Tools,
  order: Order,
  attempt: number,
  serviceUserId: string,
): Promise<void> {
  const payment = {
    amount: order.price,
    ...nameAttempt(order, attempt),
    description: order.item,
  }
  try {
    await coffer.debit({ ...payment, serviceUserId })
  } catch (error) {
    if (!isCofferError(error, 'REPLAY_MISMATCH') || error.original.status === 'refused') throw error
    // The reference is decided, so sending it again moves no money. Only the same amount from the wallet that paid
    // gets the outcome without a mismatch.
    for (const earlier of store.listAttemptWallets(order, attempt)) {
      if (await isReplayed(coffer.debit({ ...payment, serviceUserId: earlier }))) return
    }
    throw error
  }
}

async function isReplayed(debit: Promise<unknown>): Promise<boolean> {
  try {
    await debit
    return true
  } catch (error) {
    if (isCofferError(error, 'REPLAY_MISMATCH')) return false
    throw error
  }
}
