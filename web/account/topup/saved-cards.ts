/** The saved cards of the person, and which of them pays. */
import type { listCards } from '@coffer/contract/account-cards-api'
import { request, type ResponseOf } from '../../ui/request.ts'
import type { CardChoice } from '../../widget/topup/address.ts'
import { repeatLimited } from '../repeat-limited.ts'

export type Card = ResponseOf<typeof listCards>['cards'][number]

/** What `createIntent` sends. The form changes it. */
export const chosen: { choice: CardChoice } = { choice: {} }

/** Without a response there are no saved cards: the person can enter one. */
export async function readCards(): Promise<Card[]> {
  const result = await repeatLimited(() =>
    request<typeof listCards>(
      'GET',
      '/api/account/topup/cards',
      {},
      { credentials: 'same-origin' },
    ),
  )
  return result.ok ? result.data.cards : []
}
