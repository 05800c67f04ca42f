import { findPersonByEmail, type PersonRow } from '../identity/queries.ts'
import { throttle } from '../identity/throttle-attempts.ts'
import { deleteTickets } from '../identity/ticket-queries.ts'
import { issueCode, redeemCode } from '../identity/ticket.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { verificationCode } from '../mail/messages.ts'
import pg from 'pg'
import { ServiceError } from '../service-error.ts'
import { emailChanged } from './messages.ts'
import { setEmail } from './queries.ts'
import type { LoggedIn } from './require-log-in.ts'

/**
 * With a mailer the new address must prove itself, and whether it is somebody else's is told to nobody. Without one
 * there is nobody to ask.
 */
export async function changeEmail(
  context: Context,
  { userId }: LoggedIn,
  email: string,
): Promise<{ ticket?: string }> {
  const { db, mailer } = context
  if (mailer === undefined) {
    await writeEmail(context, userId, email, false)
    return {}
  }
  await throttle(db, 'mail', email)
  const { rows } = await db.query<PersonRow>(findPersonByEmail(email))
  const isFree = rows[0] === undefined || rows[0].service_user_id === userId
  const asked = { purpose: 'change_email', serviceUserId: userId, email } as const
  const { ticket, code } = await issueCode(db, asked, isFree)
  if (isFree) mailer.send(email, verificationCode(code))
  return { ticket }
}

/** Whoever loses an address should hear of it there, in case it was not their doing. */
export async function verifyNewEmail(
  context: Context,
  { userId, email }: LoggedIn,
  input: { ticket: string; code: string },
): Promise<void> {
  const ticket = await redeemCode(context.db, input.ticket, input.code, 'change_email')
  if (ticket.service_user_id !== userId || ticket.email === null) {
    throw new ServiceError('CODE_INVALID')
  }
  await writeEmail(context, userId, ticket.email, true).catch(takenMeanwhile)
  context.mailer?.send(email, emailChanged())
}

/** Codes that went to the old address open nothing any more. */
async function writeEmail({ db }: Context, userId: bigint, email: string, isVerified: boolean) {
  try {
    await inTransaction(db, async (tx) => {
      await tx.query(setEmail(userId, email, isVerified))
      await tx.query(deleteTickets(userId))
    })
  } catch (error) {
    const isTaken = error instanceof pg.DatabaseError && error.constraint === 'people_by_email'
    throw isTaken ? new ServiceError('EMAIL_TAKEN') : error
  }
}

function takenMeanwhile(error: unknown): never {
  const isTaken = error instanceof ServiceError && error.code === 'EMAIL_TAKEN'
  throw isTaken ? new ServiceError('CODE_INVALID') : error
}
