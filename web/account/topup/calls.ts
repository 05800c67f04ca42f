/** The requests of /account/topup, with the login cookie. Its policy allows no others. */
import type * as cards from '@coffer/contract/account/cards'
import type * as topup from '@coffer/contract/account/topup'
import { createCall, request } from '../../ui/request.ts'
import type { CardChoice } from '../../widget/topup/address.ts'
import type { TopupCalls } from '../../widget/topup/calls.ts'
import { repeatLimited } from '../../widget/topup/repeat-limited.ts'
import { chosen } from '../../widget/topup/saved/chosen.ts'

export const call = createCall<typeof topup & typeof cards>((endpoint, input) =>
  request(endpoint, input, { credentials: 'same-origin' }),
)

function withoutName({ name: _name, ...choice }: CardChoice) {
  return choice
}

export const TOPUP_CALLS: TopupCalls = {
  readWallet: () => call('GET /api/account/topup/wallet'),
  createIntent: (amount) =>
    repeatLimited(() =>
      call('POST /api/account/topup/create-intent', { amount, ...withoutName(chosen.choice) }),
    ),
  readChoice: () => chosen.choice,
  confirm: (paymentIntentId) => call('POST /api/account/topup/confirm', { paymentIntentId }),
}
