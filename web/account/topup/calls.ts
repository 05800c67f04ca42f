/** The requests of /account/topup, with the login cookie. Its policy allows no others. */
import type {
  confirmOwnTopup,
  createOwnIntent,
  readTopupWallet,
} from '@coffer/contract/account/topup'
import { request } from '../../ui/request.ts'
import type { CardChoice } from '../../widget/topup/address.ts'
import type { TopupCalls } from '../../widget/topup/calls.ts'
import { repeatLimited } from '../../widget/topup/repeat-limited.ts'
import { chosen } from '../../widget/topup/saved/chosen.ts'

const WITH_COOKIE = { credentials: 'same-origin' } as const

function withoutName({ name: _name, ...choice }: CardChoice) {
  return choice
}

export const CALLS: TopupCalls = {
  readWallet: () =>
    request<typeof readTopupWallet>('GET', '/api/account/topup/wallet', {}, WITH_COOKIE),
  createIntent: (amount) =>
    repeatLimited(() =>
      request<typeof createOwnIntent>(
        'POST',
        '/api/account/topup/create-intent',
        { amount, ...withoutName(chosen.choice) },
        WITH_COOKIE,
      ),
    ),
  readChoice: () => chosen.choice,
  confirm: (paymentIntentId) =>
    request<typeof confirmOwnTopup>(
      'POST',
      '/api/account/topup/confirm',
      { paymentIntentId },
      WITH_COOKIE,
    ),
}
