/** What is missing in the wallet to pay an order. */
import { isCofferError, type Coffer } from '@coffer/sdk'
import type { Shortage } from './pages.ts'
import type { Order, User } from './store.ts'

export async function findShortage(
  { coffer }: { coffer: Coffer },
  { serviceUserId }: User,
  order: Order | undefined,
): Promise<Shortage | undefined> {
  if (serviceUserId === undefined || order?.status !== 'open') return undefined
  try {
    const { balance } = await coffer.checkBalance({ serviceUserId, requiredAmount: order.price })
    // In cents: decimals of numbers are not exact.
    const cents = Math.round(Number(order.price) * 100) - Math.round(balance * 100)
    if (cents <= 0) return undefined
    return { orderId: order.id, missing: (cents / 100).toFixed(2) }
  } catch (error) {
    // The page is useful without it.
    if (isCofferError(error)) return undefined
    throw error
  }
}
