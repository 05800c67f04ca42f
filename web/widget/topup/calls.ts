import type { confirmTopup, createIntent, readWidgetWallet } from '@coffer/contract/widget/widget'
import type { createCardIntent, listWidgetCards } from '@coffer/contract/widget/cards'
import { type ResponseOf, type Result, request } from '../../ui/request.ts'
import type { CardChoice } from './address.ts'
import { repeatLimited } from './repeat-limited.ts'
import { chosen } from './saved/chosen.ts'

export type Wallet = Pick<
  ResponseOf<typeof readWidgetWallet>,
  'balance' | 'currency' | 'isActive' | 'user'
>

/** The requests of one person who tops up one wallet. */
export interface TopupCalls {
  readWallet: () => Promise<Result<Wallet>>
  createIntent: (amount: string) => Promise<Result<ResponseOf<typeof createIntent>>>
  /** How the person pays. */
  readChoice: () => CardChoice
  confirm: (paymentIntentId: string) => Promise<Result<ResponseOf<typeof confirmTopup>>>
}

export interface WidgetTopupCalls extends TopupCalls {
  listCards: (password: string) => Promise<Result<ResponseOf<typeof listWidgetCards>>>
}

/** With a widget session, which a client app created. */
export function callWithSession(session: string): WidgetTopupCalls {
  const withSession = <Path extends string>(path: Path): `${Path}?${string}` =>
    `${path}?session=${encodeURIComponent(session)}`
  async function payBySavedCard(amount: string, cardId: string, ticket: string) {
    const path = withSession('/api/widget/topup/cards/create-intent')
    const result = await repeatLimited(() =>
      request<typeof createCardIntent>('POST', path, { amount, cardId, ticket }),
    )
    // The ticket pays once.
    if (!result.ok) chosen.onLost?.()
    return result
  }
  return {
    listCards: (password) =>
      repeatLimited(() =>
        request<typeof listWidgetCards>('POST', withSession('/api/widget/topup/cards'), {
          password,
        }),
      ),
    readChoice: () => chosen.choice,
    readWallet: () => request<typeof readWidgetWallet>('GET', '/api/widget/wallet', { session }),
    createIntent: (amount) => {
      const { ticket, choice } = chosen
      if (ticket && choice.cardId) return payBySavedCard(amount, choice.cardId, ticket)
      return request<typeof createIntent>('POST', withSession('/api/widget/topup/create-intent'), {
        amount,
      })
    },
    confirm: (paymentIntentId) =>
      request<typeof confirmTopup>('POST', withSession('/api/widget/topup/confirm'), {
        paymentIntentId,
      }),
  }
}
