/** Ends a hold of a client app: stored like a bonus, and posted under the id of the grant. */
import type { releaseHold as endpoint } from '@coffer/contract/admin/grants'
import type { z } from 'zod'
import { one } from '../../database/statement.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import type { GrantOutcome, GrantTools } from './post-grant.ts'
import { storeGrant } from './propose-grant.ts'
import { findWalletOf } from './search-queries.ts'

export async function releaseHold(
  tools: GrantTools,
  call: Pick<AdminCall, 'operator' | 'record'>,
  input: z.output<typeof endpoint.input>,
): Promise<GrantOutcome> {
  const userId = BigInt(input.personId)
  const walletId = await one(tools.db, findWalletOf(userId))
  const hold = await tools.ledger.holds.find(input.hold)
  if (hold === undefined || hold.walletId !== walletId) throw new ServiceError('NOT_FOUND')
  const ended = hold.closedBy === 'expiry' ? 'HOLD_EXPIRED' : 'HOLD_CLOSED'
  return storeGrant(tools, call, {
    id: input.id,
    kind: 'hold_release',
    userId,
    amountMinor: hold.remaining,
    reason: input.reason.trim(),
    hold: hold.digest,
    ...(hold.remaining === 0n && { ended }),
  })
}
