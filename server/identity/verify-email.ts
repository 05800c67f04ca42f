import type { AuthStep } from '@coffer/contract/widget-api'
import { ServiceError } from '../service-error.ts'
import { findPerson, markVerified, type PersonRow } from './queries.ts'
import { createAccount, type SignUpTools } from './sign-up.ts'
import { makeLink, takeNextStep } from './take-next-step.ts'
import { redeemCode } from './ticket.ts'
import type { TicketRow } from './ticket-queries.ts'

/** The code of the e-mail makes the account, or verifies one that was made while there was no mailer. */
export async function verifyEmail(
  tools: SignUpTools,
  token: string,
  code: string,
): Promise<AuthStep> {
  const { db } = tools
  const ticket = await redeemCode(db, token, code, 'sign_up', 'verify_email')
  const { client_app_id: clientAppId, service_user_id: userId } = ticket
  if (clientAppId === null) throw new ServiceError('CODE_INVALID')
  if (userId === null) {
    const user = await createAccount(tools, toPerson(ticket)).catch(takenMeanwhile)
    return makeLink(tools, clientAppId, user.id)
  }
  await db.query(markVerified(userId))
  const { rows } = await db.query<PersonRow>(findPerson(userId))
  if (rows[0] === undefined) throw new ServiceError('CODE_INVALID')
  return takeNextStep(tools, rows[0], clientAppId)
}

function toPerson(ticket: TicketRow) {
  return {
    firstName: ticket.first_name ?? '',
    lastName: ticket.last_name ?? '',
    email: ticket.email ?? '',
    passwordHash: ticket.password_hash,
    isVerified: true,
  }
}

/** Somebody signed up twice and entered both codes: the first one made the account. */
function takenMeanwhile(error: unknown): never {
  const isTaken = error instanceof ServiceError && error.code === 'EMAIL_TAKEN'
  throw isTaken ? new ServiceError('CODE_INVALID') : error
}
