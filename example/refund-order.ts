/**
 * Returns the money of a paid order to the wallet that paid it, even if another wallet is linked now: the refund names
 * the payment, and the service knows its wallet. The refund has its own reference, so pressing twice refunds once.
 */
import { isCofferError, type Coffer } from '@coffer/sdk'
import { attemptReference } from './pay-order.ts'
import { findWeighedPrice } from './products.ts'
import { captureReference } from './reserve-order.ts'
import type { Order, Store } from './store.ts'

export type RefundResult = 'refunded' | 'partly-refunded' | 'payer-gone' | 'unknown'

interface Tools {
  coffer: Coffer
  store: Store
}

/** The amount that the shop refunds if something was wrong with an order that the user keeps. */
export const PART = '1.00'

/** Refunds everything that is left, because a part may already have been refunded. */
export function refundOrder(tools: Tools, order: Order): Promise<RefundResult | undefined> {
  return refund(tools, order, async (debit) => {
    await tools.coffer.refund({
      debit,
      referenceType: 'ORDER_REFUND',
      referenceId: `order-${order.id}`,
      description: `Refund: ${order.item}`,
    })
    tools.store.markRefunded(order)
    return 'refunded'
  })
}

/** Refunds a part, once per order. */
export async function refundPart(tools: Tools, order: Order): Promise<RefundResult | undefined> {
  if (order.status === 'partly refunded') return 'partly-refunded'
  return refund(tools, order, async (debit) => {
    await tools.coffer.refund({
      debit,
      amount: PART,
      referenceType: 'ORDER_PART_REFUND',
      referenceId: `order-${order.id}`,
      description: `Partial refund: ${order.item}`,
    })
    tools.store.markRefunded(order, 'partly refunded')
    return 'partly-refunded'
  })
}

async function refund(
  { store }: Tools,
  order: Order,
  send: (debit: ReturnType<typeof captureReference>) => Promise<RefundResult>,
): Promise<RefundResult | undefined> {
  if (order.status === 'refunded') return 'refunded'
  if (order.status !== 'paid' && order.status !== 'partly refunded') return undefined
  const isByWeight = findWeighedPrice(order) !== undefined
  try {
    return await send(
      isByWeight ? captureReference(order) : attemptReference(order, store.findPaidAttempt(order)),
    )
  } catch (error) {
    // The person has deleted the account at the service.
    if (isCofferError(error, 'WALLET_CLOSED')) return 'payer-gone'
    if (isCofferError(error, 'OUTCOME_UNKNOWN') || isCofferError(error, 'SERVICE_UNAVAILABLE')) {
      return 'unknown'
    }
    throw error
  }
}
