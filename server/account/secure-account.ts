import { deleteLinkCodes, endLinks, endLogIns } from '../identity/queries.ts'
import { deletePasskeysOf } from '../identity/passkeys/queries.ts'
import { deleteTickets } from '../identity/ticket-queries.ts'
import { hashTicket } from '../identity/ticket.ts'
import { findWarningLink, takeWarningLink } from '../identity/warning-link-queries.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { one, run } from '../database/statement.ts'
import { ServiceError } from '../service-error.ts'
import { deleteAutomatic } from '../topup/automatic/queries.ts'
import { disablePassword, lockPerson } from './queries.ts'

/**
 * "This wasn't me": ends all logins, links, widget sessions and started steps of the person. Somebody who knows the
 * password or added a passkey could start them again, also in this moment, so both stop working: the owner sets a new
 * password by email.
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
    await run(tx, deletePasskeysOf(userId))
    await run(tx, deleteAutomatic(userId))
    await run(tx, endLogIns(userId))
    await run(tx, deleteTickets(userId))
    await run(tx, deleteLinkCodes(userId))
    await run(tx, endLinks(userId, null, 'user'))
  })
}
