import { readReturned, type Payment } from '../../widget/topup/address.ts'

export const TOPUP_PATH = '/account/topup'

/**
 * The payment that was in progress: one that a bank's redirect brought, or the one of this history entry. Removes it
 * from the address before the processor's script is loaded, because that reports the addresses of pages.
 */
export function takePayment(publishableKey: string): Payment | undefined {
  const kept = (history.state ?? {}) as { payment?: Payment }
  const payment = readReturned(new URLSearchParams(location.search), publishableKey) ?? kept.payment
  history.replaceState({ ...(payment && { payment }) }, '', TOPUP_PATH)
  return payment
}
