import type { Language } from '@coffer/contract/languages'
import { accountUrl } from '../identity/account-url.ts'
import { checkNewPassword } from '../identity/check-new-password.ts'
import { lockPerson, type Person } from '../identity/queries.ts'
import type { Caller } from '../identity/queue-fairly.ts'
import { asKnown } from '../identity/recognize-device.ts'
import { finishReset, replacePassword } from '../identity/reset-password.ts'
import { hashTicket } from '../identity/ticket.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { prune } from '../database/prune.ts'
import { one, run } from '../database/statement.ts'
import { chooseMails } from '../mail/choose-mails.ts'
import { ServiceError } from '../service-error.ts'
import { toEmailTaken } from './change-email.ts'
import { setEmail } from './queries.ts'
import { EXPIRED_UNDO_LINKS, findUndoLink, takeUndoLink } from './undo-link-queries.ts'

/**
 * Restores the address that got the link and sets a new password, because whoever changed the address knew the old
 * one. Ends everything that was started with it. If another account has taken the address, the link still works later.
 */
export async function undoEmailChange(
  context: Context,
  input: { ticket: string; password: string; language: Language | null },
  caller: Caller,
): Promise<Person> {
  const { db, passwords, config, mailer } = context
  const ticketHash = hashTicket(input.ticket)
  const link = await one(db, findUndoLink(ticketHash))
  if (link === undefined) throw new ServiceError('CODE_INVALID')
  const { userId, email } = link
  checkNewPassword(input.password, email, config.passwordMin)
  const owner = asKnown(caller.network, 'undo link', email)
  const passwordHash = await passwords.hash(input.password, owner)
  const replaced = await inTransaction(db, async (tx) => {
    const person = await one(tx, lockPerson(userId))
    const taken = await run(tx, takeUndoLink(ticketHash))
    if (person === undefined || taken === 0) throw new ServiceError('CODE_INVALID')
    await run(tx, setEmail(userId, email, true))
    await replacePassword(tx, userId, passwordHash)
    return person
  }).catch((error: unknown) => {
    throw toEmailTaken(error)
  })
  const mails = chooseMails(replaced.language ?? input.language)
  mailer?.send(replaced.email, mails.emailRestored(accountUrl(config)))
  return finishReset(context, { userId, passwordHash, language: input.language }, caller)
}

export function pruneUndoLinks({ db }: Pick<Context, 'db'>): Promise<number> {
  return prune(db, EXPIRED_UNDO_LINKS)
}
