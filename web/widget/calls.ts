/** The requests of the widget with a session. */
import type { readWidgetWallet } from '@coffer/contract/widget/widget'
import { type ResponseOf, request } from '../ui/request.ts'

export type Wallet = ResponseOf<typeof readWidgetWallet>

export const calls = {
  readWallet: (session: string) =>
    request<typeof readWidgetWallet>('GET', '/api/widget/wallet', { session }),
}
