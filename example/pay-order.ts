/**
 * Takes the money for an order, exactly once. The attempt is written down before the call, so that after a crash or a
 * lost answer the same reference is sent again. A refused attempt is over: the next one gets a reference of its own.
 */
import { isCofferError, type Coffer } from '@coffer/server'
import type { Order, Store, User } from './store.ts'

export type PayResult = 'paid' | 'insufficient' | 'frozen' | 'unlinked' | 'unknown'

export async function payOrder(
  { coffer, store }: { coffer: Coffer; store: Store },
  user: User,
  order: Order,
): Promise<PayResult> {
  if (order.status !== 'open') return 'paid'
  if (user.serviceUserId === undefined) return 'unlinked'
  const attempt = store.beginAttempt(order)
  try {
    await coffer.debit({
      serviceUserId: user.serviceUserId,
      amount: order.price,
      referenceType: 'ORDER_PAYMENT',
      referenceId: `order-${order.id}-attempt-${attempt}`,
      description: order.item,
    })
    store.endAttempt(order, attempt, 'paid')
    return 'paid'
  } catch (error) {
    // An earlier press paid it, and its answer was lost; then the user linked another wallet.
    if (isCofferError(error, 'REPLAY_MISMATCH') && error.original.status === 'posted') {
      store.endAttempt(order, attempt, 'paid')
      return 'paid'
    }
    if (isCofferError(error, 'INSUFFICIENT_BALANCE')) {
      store.endAttempt(order, attempt, 'refused')
      return 'insufficient'
    }
    if (isCofferError(error, 'WALLET_INACTIVE')) {
      store.endAttempt(order, attempt, 'refused')
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
