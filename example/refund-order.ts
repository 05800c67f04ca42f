/** Gives the money of a paid order back. The refund has a reference of its own, and pressing twice gives it once. */
import { isCofferError, type Coffer } from '@coffer/server'
import type { Order, Store, User } from './store.ts'

export type RefundResult = 'refunded' | 'unlinked' | 'unknown'

export async function refundOrder(
  { coffer, store }: { coffer: Coffer; store: Store },
  user: User,
  order: Order,
): Promise<RefundResult | undefined> {
  if (order.status === 'open') return undefined
  if (order.status === 'refunded') return 'refunded'
  if (user.serviceUserId === undefined) return 'unlinked'
  try {
    await coffer.credit({
      serviceUserId: user.serviceUserId,
      amount: order.price,
      referenceType: 'ORDER_REFUND',
      referenceId: `order-${order.id}`,
      description: `Refund: ${order.item}`,
    })
    store.markRefunded(order)
    return 'refunded'
  } catch (error) {
    if (isCofferError(error, 'USER_NOT_FOUND')) {
      store.removeLink(user)
      return 'unlinked'
    }
    if (isCofferError(error, 'OUTCOME_UNKNOWN') || isCofferError(error, 'SERVICE_UNAVAILABLE')) {
      return 'unknown'
    }
    throw error
  }
}
