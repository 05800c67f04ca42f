import { inTransaction } from '../database/in-transaction.ts'
import { one, run } from '../database/statement.ts'
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
  type Person,
} from './queries.ts'
import type { SignUpTools } from './sign-up.ts'
import { clearFailures, throttle } from './throttle-attempts.ts'
import { deleteTickets, type Ticket } from './ticket-queries.ts'
import { checkCode, issueCode, redeemTicket } from './ticket.ts'

/** The response does not depend on whether the email has an account; only its owner learns that. */
export async function forgotPassword(
  { db, mailer }: Pick<SignUpTools, 'db' | 'mailer'>,
  email: string,
  { clientAppId, challenge }: { clientAppId: bigint | null; challenge?: string | undefined },
): Promise<string> {
  await throttle(db, 'mail', email)
  const person = await one(db, findPersonByEmail(email))
  const serviceUserId = person?.userId ?? null
  const newTicket = { purpose: 'reset', clientAppId, serviceUserId, email, challenge } as const
  const { ticket, code } = await issueCode(db, newTicket, person !== undefined)
  if (person) mailer?.send(person.email, resetCode(code))
  return ticket
}

export interface ResetInput {
  ticket: string
  code: string
  password: string
}

/**
 * Ends everything that the old password started: logins, sign-ins in the widget, link codes. The code was sent by
 * email, so it also verifies the address.
 */
export async function resetPassword(
  { db, passwords, config }: SignUpTools,
  input: ResetInput,
): Promise<{ person: Person } & Pick<Ticket, 'clientAppId' | 'challenge'>> {
  const { email } = await checkCode(db, input.ticket, input.code, 'reset')
  // A rejected password does not use up the ticket.
  checkNewPassword(input.password, email ?? '', config.passwordMin)
  const passwordHash = await passwords.hash(input.password)
  const ticket = await redeemTicket(db, input.ticket, 'reset')
  if (!ticket?.serviceUserId) throw new ServiceError('CODE_INVALID')
  const userId = ticket.serviceUserId
  await inTransaction(db, async (tx) => {
    await run(tx, setPassword(userId, passwordHash))
    await run(tx, markVerified(userId))
    await run(tx, endLogIns(userId))
    await run(tx, deleteTickets(userId))
    await run(tx, deleteLinkCodes(userId))
  })
  const person = await one(db, findPerson(userId))
  if (person === undefined) throw new ServiceError('CODE_INVALID')
  await clearFailures(db, 'log-in', person.email)
  const { clientAppId, challenge } = ticket
  return { person, clientAppId, challenge }
}
