/**
 * Gives the money of a paid order back to the wallet that paid it, which may be another one than is linked now. The
 * refund has a reference of its own, and pressing twice gives it once.
 */
import { isCofferError, type Coffer } from '@coffer/sdk'
import type { Order, Store } from './store.ts'

export type RefundResult = 'refunded' | 'payer-unlinked' | 'unknown'

export async function refundOrder(
  { coffer, store }: { coffer: Coffer; store: Store },
  order: Order,
): Promise<RefundResult | undefined> {
  if (order.status === 'open') return undefined
  if (order.status === 'refunded') return 'refunded'
  try {
    await coffer.credit({
      serviceUserId: order.paidBy,
      amount: order.price,
      referenceType: 'ORDER_REFUND',
      referenceId: `order-${order.id}`,
      description: `Refund: ${order.item}`,
    })
    store.markRefunded(order)
    return 'refunded'
  } catch (error) {
    // The person unlinked this shop at the service. The wallet that is linked now may belong to another person.
    if (isCofferError(error, 'USER_NOT_FOUND')) return 'payer-unlinked'
    if (isCofferError(error, 'OUTCOME_UNKNOWN') || isCofferError(error, 'SERVICE_UNAVAILABLE')) {
      return 'unknown'
    }
    throw error
  }
}
