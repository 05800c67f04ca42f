import type { WIDGET_CARD_ENDPOINTS } from '@coffer/contract/widget/cards'
import type { WIDGET_ENDPOINTS } from '@coffer/contract/widget/widget'
import { createCall, request, type ResponseOf, type Result } from '../../ui/request.ts'
import type { CardChoice } from './address.ts'
import { repeatLimited } from './repeat-limited.ts'
import { chosen } from './saved/chosen.ts'

type Contract = typeof WIDGET_ENDPOINTS & typeof WIDGET_CARD_ENDPOINTS

export type Wallet = Pick<
  ResponseOf<Contract['readWidgetWallet']>,
  'balance' | 'currency' | 'isActive' | 'user'
>

/** The requests of one person who tops up one wallet. */
export interface TopupCalls {
  readWallet: () => Promise<Result<Wallet>>
  createIntent: (amount: string) => Promise<Result<ResponseOf<Contract['createIntent']>>>
  /** How the person pays. */
  readChoice: () => CardChoice
  confirm: (paymentIntentId: string) => Promise<Result<ResponseOf<Contract['confirmTopup']>>>
}

export interface WidgetTopupCalls extends TopupCalls {
  listCards: (password: string) => Promise<Result<ResponseOf<Contract['listWidgetCards']>>>
}

/** With a widget session, which a client app created. */
export function callWithSession(session: string): WidgetTopupCalls {
  const call = createCall<Contract>((endpoint, input) =>
    request(endpoint, input, { query: { session } }),
  )
  async function payBySavedCard(amount: string, cardId: string, ticket: string) {
    const result = await repeatLimited(() =>
      call('POST /api/widget/topup/cards/create-intent', { amount, cardId, ticket }),
    )
    // A ticket works once.
    if (!result.ok) chosen.onNotPaid?.()
    return result
  }
  return {
    listCards: (password) =>
      repeatLimited(() => call('POST /api/widget/topup/cards', { password })),
    readChoice: () => chosen.choice,
    readWallet: () => call('GET /api/widget/wallet', { session }),
    createIntent: (amount) => {
      const { ticket, choice } = chosen
      if (ticket && choice.cardId) return payBySavedCard(amount, choice.cardId, ticket)
      return call('POST /api/widget/topup/create-intent', { amount })
    },
    confirm: (paymentIntentId) => call('POST /api/widget/topup/confirm', { paymentIntentId }),
  }
}
