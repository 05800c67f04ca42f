/**
 * An order that is sold by weight. Its highest price is reserved in the wallet, so that nothing else can spend it. Once it is
 * weighed, the shop takes what it costs, and the rest is released; or the user cancels, and everything is released.
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
  const reserved = await attemptPayment(tools, user, order, nameHold, (payment) =>
    coffer.hold({ ...payment, description: order.item }),
  )
  if (typeof reserved === 'string') return reserved
  store.markReserved(order)
  return 'reserved'
}

/** Each order is collected once: the reference is that of the order, and the price does not change any more. */
export function collectOrder(tools: Tools, order: Order): Promise<EndResult | undefined> {
  const { coffer, store } = tools
  return endReservation(tools, order, (hold, price) =>
    coffer.capture({ hold, amount: price, ...nameCapture(order), description: order.item }),
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

type Pair = ReturnType<typeof nameHold>

async function endReservation(
  tools: Tools,
  order: Order,
  end: (hold: Pair, price: string) => Promise<unknown>,
): Promise<Exclude<EndResult, 'canceled'> | 'done' | undefined> {
  const price = findWeighedPrice(order)
  if (order.status !== 'reserved' || price === undefined) return undefined
  try {
    await end(nameHold(order, tools.store.findPaidAttempt(order)), price)
    return 'done'
  } catch (error) {
    if (isCofferError(error, 'HOLD_EXPIRED') || isCofferError(error, 'HOLD_CLOSED')) {
      return learnEnd(tools, order, price)
    }
    if (isCofferError(error, 'OUTCOME_UNKNOWN') || isCofferError(error, 'SERVICE_UNAVAILABLE')) {
      return 'unknown'
    }
    throw error
  }
}

/** The reservation has ended already: the shop collected it but did not store that, or its time was over. */
async function learnEnd({ coffer, store }: Tools, order: Order, price: string) {
  const captured = await coffer.operation(nameCapture(order))
  if (captured?.status === 'posted') {
    store.markCollected(order, price)
    return 'paid'
  }
  store.markCanceled(order)
  return 'reservation-over'
}

function nameHold(order: Order, attempt: number) {
  return { referenceType: 'ORDER_HOLD', referenceId: `order-${order.id}-attempt-${attempt}` }
}

/** The reference of the payment of an order that was reserved: refunds name it. */
export function nameCapture(order: Order) {
  return { referenceType: 'ORDER_CAPTURE', referenceId: `order-${order.id}` }
}
