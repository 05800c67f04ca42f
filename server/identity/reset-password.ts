import { inTransaction } from '../database/in-transaction.ts'
import { resetCode } from '../mail/messages.ts'
import { ServiceError } from '../service-error.ts'
import { checkNewPassword } from './check-new-password.ts'
import {
  deleteLinkCodes,
  endLogIns,
  findPerson,
  findPersonByEmail,
  markVerified,
  setPassword,
  type PersonRow,
} from './queries.ts'
import type { SignUpTools } from './sign-up.ts'
import { forgive, throttle } from './throttle-attempts.ts'
import { deleteTickets } from './ticket-queries.ts'
import { checkCode, issueCode, redeemTicket } from './ticket.ts'

/** Answers the same whether there is such a person or not; only the owner of the e-mail learns it. */
export async function forgotPassword(
  { db, mailer }: Pick<SignUpTools, 'db' | 'mailer'>,
  email: string,
  clientAppId: bigint | null,
): Promise<string> {
  await throttle(db, 'mail', email)
  const { rows } = await db.query<PersonRow>(findPersonByEmail(email))
  const [person] = rows
  const serviceUserId = person?.service_user_id ?? null
  const asked = { purpose: 'reset', clientAppId, serviceUserId, email } as const
  const { ticket, code } = await issueCode(db, asked, person !== undefined)
  if (person) mailer?.send(person.email, resetCode(code))
  return ticket
}

export interface ResetInput {
  ticket: string
  code: string
  password: string
}

/**
 * Ends everything that the old password started: log-ins, sign-ins in the widget, codes that prove a link. The code
 * came by email, so it also verifies the address.
 */
export async function resetPassword(
  { db, passwords, config }: SignUpTools,
  input: ResetInput,
): Promise<{ person: PersonRow; clientAppId: bigint | null }> {
  const { email } = await checkCode(db, input.ticket, input.code, 'reset')
  // A password that is refused leaves the ticket, for another one.
  checkNewPassword(input.password, email ?? '', config.passwordMin)
  const passwordHash = await passwords.hash(input.password)
  const ticket = await redeemTicket(db, input.ticket, 'reset')
  if (!ticket?.service_user_id) throw new ServiceError('CODE_INVALID')
  const userId = ticket.service_user_id
  await inTransaction(db, async (tx) => {
    await tx.query(setPassword(userId, passwordHash))
    await tx.query(markVerified(userId))
    await tx.query(endLogIns(userId))
    await tx.query(deleteTickets(userId))
    await tx.query(deleteLinkCodes(userId))
  })
  const { rows } = await db.query<PersonRow>(findPerson(userId))
  if (rows[0] === undefined) throw new ServiceError('CODE_INVALID')
  await forgive(db, 'log-in', rows[0].email)
  return { person: rows[0], clientAppId: ticket.client_app_id }
}
