/** What the user can do with an order. */
import { findWeighedPrice, showPrice } from './products.ts'
import { PART } from './refund-order.ts'
import type { Order } from './store.ts'

interface Action {
  path: string
  word: string
  /** What a screen reader says before the order. */
  label: string
  isMain?: true
}

const PAY: Action = { path: '/pay', word: 'Pay', label: 'Pay', isMain: true }
const RESERVE: Action = { path: '/reserve', word: 'Reserve', label: 'Reserve', isMain: true }
const CANCEL: Action = { path: '/cancel', word: 'Cancel', label: 'Cancel' }
const REFUND: Action = { path: '/refund', word: 'Refund', label: 'Refund' }
const REFUND_PART: Action = {
  path: '/refund-part',
  word: `Refund ${showPrice(PART)}`,
  label: `Refund ${showPrice(PART)} of`,
}

export function listActions(order: Order): Action[] {
  const weighedPrice = findWeighedPrice(order)
  if (order.status === 'open') return [weighedPrice === undefined ? PAY : RESERVE]
  if (order.status === 'reserved') {
    const price = showPrice(weighedPrice ?? order.price)
    const word = `Weighed: ${price}`
    return [{ path: '/collect', word, label: `Pay ${price} for`, isMain: true }, CANCEL]
  }
  if (order.status === 'paid') return [REFUND, REFUND_PART]
  return order.status === 'partly refunded' ? [REFUND] : []
}
