/** The requests of /account/topup, with the login cookie. Its policy allows no others. */
import type {
  confirmOwnTopup,
  createOwnIntent,
  readTopupWallet,
} from '@coffer/contract/account-topup-api'
import { request } from '../../ui/request.ts'
import type { TopupCalls } from '../../widget/topup/calls.ts'

const WITH_COOKIE = { credentials: 'same-origin' } as const

export const CALLS: TopupCalls = {
  readWallet: () =>
    request<typeof readTopupWallet>('GET', '/api/account/topup/wallet', {}, WITH_COOKIE),
  createIntent: (amount) =>
    request<typeof createOwnIntent>(
      'POST',
      '/api/account/topup/create-intent',
      { amount },
      WITH_COOKIE,
    ),
  confirm: (paymentIntentId) =>
    request<typeof confirmOwnTopup>(
      'POST',
      '/api/account/topup/confirm',
      { paymentIntentId },
      WITH_COOKIE,
    ),
}
