/**
 * An order that is sold by weight. The highest price is reserved in the wallet, so that nothing else can spend it. After
 * weighing, the shop captures the price and releases the rest. If the user cancels, everything is released.
 */
import { isCofferError, type Coffer } from '@coffer/sdk'
import { attemptPayment, type PayResult } from './pay-order.ts'
import { findWeighedPrice } from './products.ts'
import type { Order, Store, User } from './store.ts'

type EndResult = 'paid' | 'canceled' | 'reservation-over' | 'unknown'

interface Tools {
  coffer: Coffer
  store: Store
}

export async function reserveOrder(
  tools: Tools,
  user: User,
  order: Order,
): Promise<PayResult | 'reserved' | undefined> {
  const { coffer, store } = tools
  if (findWeighedPrice(order) === undefined) return undefined
  if (order.status !== 'open') return order.status === 'reserved' ? 'reserved' : undefined
  const reserved = await attemptPayment(tools, user, order, holdReference, (payment) =>
    coffer.hold({ ...payment, description: order.item }),
  )
  if (typeof reserved === 'string') return reserved
  store.markReserved(order)
  return 'reserved'
}

/** Each order is collected once: the reference is that of the order, and the price no longer changes. */
export function collectOrder(tools: Tools, order: Order): Promise<EndResult | undefined> {
  const { coffer, store } = tools
  return endReservation(tools, order, (hold, price) =>
    coffer.capture({ hold, amount: price, ...captureReference(order), description: order.item }),
  ).then((result) => {
    if (result !== 'done') return result
    store.markCollected(order, findWeighedPrice(order) ?? order.price)
    return 'paid'
  })
}

export async function cancelOrder(tools: Tools, order: Order): Promise<EndResult | undefined> {
  const { coffer, store } = tools
  const result = await endReservation(tools, order, (hold) =>
    coffer.release({ hold, referenceType: 'ORDER_CANCEL', referenceId: `order-${order.id}` }),
  )
  if (result !== 'done') return result
  store.markCanceled(order)
  return 'canceled'
}

type Reference = ReturnType<typeof holdReference>

async function endReservation(
  tools: Tools,
  order: Order,
  end: (hold: Reference, price: string) => Promise<unknown>,
): Promise<Exclude<EndResult, 'canceled'> | 'done' | undefined> {
  const price = findWeighedPrice(order)
  if (order.status !== 'reserved' || price === undefined) return undefined
  try {
    await end(holdReference(order, tools.store.findPaidAttempt(order)), price)
    return 'done'
  } catch (error) {
    if (isCofferError(error, 'HOLD_EXPIRED') || isCofferError(error, 'HOLD_CLOSED')) {
      return resolveEndedHold(tools, order, price)
    }
    if (isCofferError(error, 'OUTCOME_UNKNOWN') || isCofferError(error, 'SERVICE_UNAVAILABLE')) {
      return 'unknown'
    }
    throw error
  }
}

/** The reservation has already ended: the shop captured it but did not store that, or the hold has expired. */
async function resolveEndedHold({ coffer, store }: Tools, order: Order, price: string) {
  const captured = await coffer.operation(captureReference(order))
  if (captured?.status === 'posted') {
    store.markCollected(order, price)
    return 'paid'
  }
  store.markCanceled(order)
  return 'reservation-over'
}

function holdReference(order: Order, attempt: number) {
  return { referenceType: 'ORDER_HOLD', referenceId: `order-${order.id}-attempt-${attempt}` }
}

/** The reference of the capture that paid a reserved order. Refunds name it. */
export function captureReference(order: Order) {
  return { referenceType: 'ORDER_CAPTURE', referenceId: `order-${order.id}` }
}
