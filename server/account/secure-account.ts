import { WARNING_LINK_DAYS } from '@coffer/contract/limits'
import assert from 'node:assert/strict'
import { suspendHolds } from '../ledger/holds.ts'
import { endAccess } from '../identity/end-access.ts'
import { endLinks } from '../identity/link-queries.ts'
import { hashTicket } from '../identity/ticket.ts'
import { lockPerson } from '../identity/queries.ts'
import { findWarningLink, takeWarningLink } from '../identity/warning-link-queries.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { one, run } from '../database/statement.ts'
import { ServiceError } from '../service-error.ts'
import { disablePassword, findWalletId } from './queries.ts'

/**
 * "This wasn't me": ends all logins, links, widget sessions and unfinished sign-in steps of the person, and suspends
 * the recent holds, which an app could capture without its link. Somebody who knows the password or added a passkey
 * could start them again, also in this moment, so both stop working: the owner sets a new password by email.
 */
export async function secureAccount({ db }: Pick<Context, 'db'>, ticket: string): Promise<void> {
  const ticketHash = hashTicket(ticket)
  const userId = await one(db, findWarningLink(ticketHash))
  if (userId === undefined) throw new ServiceError('CODE_INVALID')
  await inTransaction(db, async (tx) => {
    const person = await one(tx, lockPerson(userId))
    const taken = await run(tx, takeWarningLink(ticketHash))
    if (person === undefined || taken === 0) throw new ServiceError('CODE_INVALID')
    await run(tx, disablePassword(userId))
    await endAccess(tx, userId)
    await run(tx, endLinks(userId, null, 'user'))
    const walletId = await one(tx, findWalletId(userId))
    assert(walletId !== undefined, 'a person has a wallet')
    // The warning link is valid for this many days, so somebody else may have caused any hold since then.
    await suspendHolds(tx, walletId, WARNING_LINK_DAYS)
  })
}
