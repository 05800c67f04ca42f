import type { confirmTopup, createIntent, readWidgetWallet } from '@coffer/contract/widget-api'
import { type ResponseOf, request } from '../../ui/request.ts'

export type Wallet = ResponseOf<typeof readWidgetWallet>

function withSession<Path extends string>(path: Path, session: string): `${Path}?${string}` {
  return `${path}?session=${encodeURIComponent(session)}`
}

export const topupCalls = {
  readWallet: (session: string) =>
    request<typeof readWidgetWallet>('GET', '/api/widget/wallet', { session }),
  createIntent: (session: string, amount: string) =>
    request<typeof createIntent>('POST', withSession('/api/widget/topup/create-intent', session), {
      amount,
    }),
  confirm: (session: string, paymentIntentId: string) =>
    request<typeof confirmTopup>('POST', withSession('/api/widget/topup/confirm', session), {
      paymentIntentId,
    }),
}
