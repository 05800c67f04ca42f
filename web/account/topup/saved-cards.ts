/** The saved cards of the person. */
import type { Card } from '../../widget/topup/saved/card-list.tsx'
import { repeatLimited } from '../../widget/topup/repeat-limited.ts'
import { call } from './calls.ts'

/** Without a response there are no saved cards: the person can enter one. */
export async function readCards(): Promise<Card[]> {
  const result = await repeatLimited(() => call('GET /api/account/topup/cards'))
  return result.ok ? result.data.cards : []
}
