import { WIDGET_TRANSACTIONS } from '@coffer/contract/limits'
import { findPerson, type PersonRow } from '../identity/queries.ts'
import type { Context } from '../context.ts'
import { ServiceError } from '../service-error.ts'
import { readWallet } from '../wallet/read-wallet.ts'
import type { Session } from './require-session.ts'

/** The wallet as the session's client app may see it, and the name of its owner. */
export async function readWidgetWallet(context: Context, session: Session) {
  const { clientApp, serviceUserId, userId } = session
  const [wallet, person] = await Promise.all([
    readWallet(context, clientApp, { serviceUserId, limit: WIDGET_TRANSACTIONS }).catch(unlinked),
    context.db.query<PersonRow>(findPerson(userId)),
  ])
  const { balance, currency, isActive, transactions } = wallet
  const firstName = person.rows[0]?.first_name ?? ''
  const lastName = person.rows[0]?.last_name ?? ''
  return { balance, currency, isActive, transactions, user: { firstName, lastName } }
}

/** The link was ended between the check of the session and this look. */
function unlinked(error: unknown): never {
  const isUnlinked = error instanceof ServiceError && error.code === 'USER_NOT_FOUND'
  throw isUnlinked ? new ServiceError('SESSION_EXPIRED') : error
}
