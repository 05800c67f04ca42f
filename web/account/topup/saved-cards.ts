/** The saved cards of the person. */
import type { listCards } from '@coffer/contract/account/cards'
import { request } from '../../ui/request.ts'
import type { Card } from '../../widget/topup/saved/card-list.tsx'
import { repeatLimited } from '../../widget/topup/repeat-limited.ts'

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
