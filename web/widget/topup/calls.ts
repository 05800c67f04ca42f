import type { confirmTopup, createIntent, readWidgetWallet } from '@coffer/contract/widget-api'
import type { CardChoice } from './address.ts'
import { type ResponseOf, type Result, request } from '../../ui/request.ts'

export type Wallet = Pick<
  ResponseOf<typeof readWidgetWallet>,
  'balance' | 'currency' | 'isActive' | 'user'
>

/** The requests of one person who tops up one wallet. */
export interface TopupCalls {
  readWallet: () => Promise<Result<Wallet>>
  createIntent: (amount: string) => Promise<Result<ResponseOf<typeof createIntent>>>
  /** At /account only: how the person pays. */
  readChoice?: () => CardChoice
  confirm: (paymentIntentId: string) => Promise<Result<ResponseOf<typeof confirmTopup>>>
}

/** With a widget session, which a client app created. */
export function callWithSession(session: string): TopupCalls {
  const withSession = <Path extends string>(path: Path): `${Path}?${string}` =>
    `${path}?session=${encodeURIComponent(session)}`
  return {
    readWallet: () => request<typeof readWidgetWallet>('GET', '/api/widget/wallet', { session }),
    createIntent: (amount) =>
      request<typeof createIntent>('POST', withSession('/api/widget/topup/create-intent'), {
        amount,
      }),
    confirm: (paymentIntentId) =>
      request<typeof confirmTopup>('POST', withSession('/api/widget/topup/confirm'), {
        paymentIntentId,
      }),
  }
}
