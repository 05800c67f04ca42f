import { findPersonByEmail } from '../identity/queries.ts'
import { throttle } from '../identity/throttle-attempts.ts'
import { deleteTickets } from '../identity/ticket-queries.ts'
import { issueCode, redeemCode } from '../identity/ticket.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { one, run } from '../database/statement.ts'
import { verificationCode } from '../mail/messages.ts'
import pg from 'pg'
import { ServiceError } from '../service-error.ts'
import { emailChanged } from './messages.ts'
import { setEmail } from './queries.ts'
import type { LoggedIn } from './log-in-queries.ts'

/**
 * With a mailer, a code verifies the new address, and the response does not depend on whether somebody else has it.
 * Without a mailer, the address is changed immediately.
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
  const owner = await one(db, findPersonByEmail(email))
  const isFree = owner === undefined || owner.userId === userId
  const newTicket = { purpose: 'change_email', serviceUserId: userId, email } as const
  const { ticket, code } = await issueCode(db, newTicket, isFree)
  if (isFree) mailer.send(email, verificationCode(code))
  return { ticket }
}

/** Notifies the old address, in case its owner did not make the change. */
export async function verifyNewEmail(
  context: Context,
  { userId, email }: LoggedIn,
  input: { ticket: string; code: string },
): Promise<void> {
  const ticket = await redeemCode(context.db, input.ticket, input.code, 'change_email')
  if (ticket.serviceUserId !== userId || ticket.email === null) {
    throw new ServiceError('CODE_INVALID')
  }
  await writeEmail(context, userId, ticket.email, true).catch(takenMeanwhile)
  context.mailer?.send(email, emailChanged())
}

/** Codes sent to the old address become invalid. */
async function writeEmail({ db }: Context, userId: bigint, email: string, isVerified: boolean) {
  try {
    await inTransaction(db, async (tx) => {
      await run(tx, setEmail(userId, email, isVerified))
      await run(tx, deleteTickets(userId))
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
