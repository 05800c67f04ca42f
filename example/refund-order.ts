/**
 * Returns the money of a paid order to the wallet that paid it, which may be another one than is linked now: the refund
 * names the payment, and the service knows its wallet. It has a reference of its own, and pressing twice refunds once.
 */
import { isCofferError, type Coffer } from '@coffer/sdk'
import { nameAttempt } from './pay-order.ts'
import type { Order, Store } from './store.ts'

export type RefundResult = 'refunded' | 'payer-gone' | 'unknown'

export async function refundOrder(
  { coffer, store }: { coffer: Coffer; store: Store },
  order: Order,
): Promise<RefundResult | undefined> {
  if (order.status === 'open') return undefined
  if (order.status === 'refunded') return 'refunded'
  try {
    await coffer.refund({
      debit: nameAttempt(order, store.findPaidAttempt(order)),
      referenceType: 'ORDER_REFUND',
      referenceId: `order-${order.id}`,
      description: `Refund: ${order.item}`,
    })
    store.markRefunded(order)
    return 'refunded'
  } catch (error) {
    // The person has deleted the account at the service.
    if (isCofferError(error, 'WALLET_CLOSED')) return 'payer-gone'
    if (isCofferError(error, 'OUTCOME_UNKNOWN') || isCofferError(error, 'SERVICE_UNAVAILABLE')) {
      return 'unknown'
    }
    throw error
  }
}
