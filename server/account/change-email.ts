import { randomBytes } from 'node:crypto'
import { UNDO_LINK_DAYS } from '@coffer/contract/limits'
import pg from 'pg'
import { accountUrl } from '../identity/account-url.ts'
import { findPersonByEmail, lockPerson } from '../identity/queries.ts'
import { throttle } from '../identity/throttle-attempts.ts'
import { deleteTickets } from '../identity/ticket-queries.ts'
import { hashTicket, issueCode, redeemCode } from '../identity/ticket.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { one, run } from '../database/statement.ts'
import { chooseMails } from '../mail/choose-mails.ts'
import { ServiceError } from '../service-error.ts'
import { findLogInById, type LoggedIn } from './log-in-queries.ts'
import { setEmail } from './queries.ts'
import { insertUndoLink } from './undo-link-queries.ts'

/**
 * With a mailer, a code verifies the new address, and the response does not depend on whether somebody else has it.
 * Without a mailer, the address is changed immediately.
 */
export async function changeEmail(
  context: Context,
  person: LoggedIn,
  email: string,
): Promise<{ ticket?: string }> {
  const { db, mailer } = context
  const { userId, language } = person
  if (mailer === undefined) {
    await writeEmail(context, person, email, false)
    return {}
  }
  await throttle(context, 'mail', email)
  const owner = await one(db, findPersonByEmail(email))
  const isFree = owner === undefined || owner.userId === userId
  const newTicket = { purpose: 'change_email', userId, email } as const
  const { ticket, code } = await issueCode(db, newTicket, isFree)
  if (isFree) mailer.send(email, chooseMails(language).verificationCode(code))
  return { ticket }
}

/** The old address gets a link that undoes the change, in case its owner did not make it. */
export async function verifyNewEmail(
  context: Context,
  person: LoggedIn,
  input: { ticket: string; code: string },
): Promise<void> {
  const ticket = await redeemCode(context.db, input.ticket, input.code, 'change_email')
  if (ticket.userId !== person.userId || ticket.email === null) {
    throw new ServiceError('CODE_INVALID')
  }
  const old = await writeEmail(context, person, ticket.email, true).catch(toCodeInvalid)
  // After the #, so that no server and no log gets it.
  const link = old.undoTicket && `${accountUrl(context.config)}#undo?ticket=${old.undoTicket}`
  context.mailer?.send(old.email, chooseMails(person.language).emailChanged(link))
}

/**
 * Codes sent to the old address become invalid; its undo links stay. An old address that nobody verified may be
 * somebody else's mailbox, so it gets no link.
 */
async function writeEmail(
  { db }: Context,
  { userId, logInId }: LoggedIn,
  email: string,
  isVerified: boolean,
): Promise<{ email: string; undoTicket: string | undefined }> {
  try {
    return await inTransaction(db, async (tx) => {
      const old = await one(tx, lockPerson(userId))
      // A reset or an undo in the meantime wins: it ended this login.
      const isLoggedIn = (await run(tx, findLogInById(logInId))) === 1
      if (old === undefined || !isLoggedIn) throw new ServiceError('LOGIN_REQUIRED')
      await run(tx, setEmail(userId, email, isVerified))
      await run(tx, deleteTickets(userId))
      const isOther = old.email.toLowerCase() !== email.toLowerCase()
      if (!isVerified || !old.isVerified || !isOther) {
        return { email: old.email, undoTicket: undefined }
      }
      const undoTicket = randomBytes(24).toString('base64url')
      await run(tx, insertUndoLink(hashTicket(undoTicket), userId, old.email, UNDO_LINK_DAYS))
      return { email: old.email, undoTicket }
    })
  } catch (error) {
    throw toEmailTaken(error)
  }
}

/** The error to throw instead, if another account has the address. */
export function toEmailTaken(error: unknown): unknown {
  const isTaken = error instanceof pg.DatabaseError && error.constraint === 'people_by_email'
  return isTaken ? new ServiceError('EMAIL_TAKEN') : error
}

function toCodeInvalid(error: unknown): never {
  const isTaken = error instanceof ServiceError && error.code === 'EMAIL_TAKEN'
  throw isTaken ? new ServiceError('CODE_INVALID') : error
}
