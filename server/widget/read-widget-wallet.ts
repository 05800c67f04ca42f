import { WIDGET_TRANSACTIONS } from '@coffer/contract/limits'
import type { Context } from '../context.ts'
import { ServiceError } from '../service-error.ts'
import { readOwnerWallet } from '../wallet/read-wallet.ts'
import { readOwner } from '../identity/read-owner.ts'
import type { Session } from './require-session.ts'

/** The wallet as the session's client app may see it, and its owner. */
export async function readWidgetWallet(context: Context, session: Session) {
  const { clientApp, serviceUserId, userId } = session
  const [wallet, user] = await Promise.all([
    readOwnerWallet(context, clientApp, { serviceUserId, limit: WIDGET_TRANSACTIONS }).catch(
      toSessionExpired,
    ),
    readOwner(context.db, userId),
  ])
  const { nextCursor: _, ...shown } = wallet
  return { ...shown, user }
}

/** The link ended after the session was checked. */
function toSessionExpired(error: unknown): never {
  const isUnlinked = error instanceof ServiceError && error.code === 'USER_NOT_FOUND'
  throw isUnlinked ? new ServiceError('SESSION_EXPIRED') : error
}
